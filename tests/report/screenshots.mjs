// Pictures of reports: screenshots.mjs FOLDER_OF_PAGES FOLDER_OF_PICTURES; of machine-NAME.html and shapes-NAME.html the scene alone.
import { readdirSync, statSync } from "node:fs";
import { goTo, launch, open, settle } from "./browser.mjs";

// When there is something to see, which panel tells most about it, ghosts, how far deformations are enlarged, colour.
const moments = {
    "bouncing-ball": [0.205, "Plots"], "elastic-bar": [0.6, "Waves"], "flexible-cube": [0.86, "Plots"],
    "flexible-pendulum": [0.97, "Plots", "5"], "linear-oscillator": [0.3, "Energy"], parallelepiped: [0.6, "Plots", "9"],
    "rocking-block": [0.16, "Energy"], "slider-crank": [0.36, "Plots"], "slider-crank-bodies": [0.1, "Plots"],
    "slider-roller": [0.4, "Energy"], "sphere-pile": [0.9, "Plots"], "bouncing-sphere": [0.5, "Plots", "9"], "box-on-incline": [0.6, "Energy", "5"],
    "gripped-block": [0.5, "Plots"], "inclined-plane": [0.5, "Plots"], "oblique-beam": [0.5, "Plots"], "pendulum-on-plate": [0.5, "Plots", "5"],
    "rocking-rod": [0.5, "Energy"], "sliding-masses": [0.5, "Plots"], "two-bars": [0.5, "Waves"], "soft-bar": [0.55, "Waves"],
    "split-bar": [0.2, "Waves"], "bridge-crane": [0.72, "Plots", "", "60", "velocity"],
    "hertz-impact": [0.34, "Pressure"], "two-rings": [0.6, "Pressure", "3"], "ring-on-strip": [0.5, "Plots", "5"], "soft-balls": [0.3, "Plots"],
    "machine-cam-and-follower": [0.35], "machine-geneva-drive": [0.483], "machine-ratchet": [0.54], "machine-gears-with-backlash": [0.3],
    "machine-escapement": [0.43], "machine-valve-train": [0.6], "machine-arch": [1], "machine-wall": [1], "machine-tippe-top": [0.4], "machine-tower": [0.2],
    "machine-hopper": [0.42], "shapes-all": [1], "shapes-drop": [1], "shapes-flat": [1],
};
const [, , pages, pictures] = process.argv;
const { browser, page, errors } = await launch({ width: 1180, height: 700 });
for (const file of readdirSync(pages).filter((f) => f.endsWith(".html"))) {
    const name = file.replace(/\.html$/, ""), [part, panel, ghosts, scale, colour] = moments[name] ?? [0.5, "Plots"], machine = /^(machine|shapes)-/.test(name);
    const path = `${pictures}/${machine ? "" : "report-"}${name}.png`;
    await open(page, `${pages}/${file}`);
    await goTo(page, part);
    if (ghosts) await page.selectOption(".tools label:has-text('ghosts') select", { label: ghosts });
    if (scale) {
        await page.fill(".tools input[type=number]", scale);
        await page.dispatchEvent(".tools input[type=number]", "change");
    }
    if (colour) await page.selectOption(".tools label:has-text('colour') select", { label: colour });
    if (!machine) await page.click(`#tab-${panel}`);
    await settle(page);
    await (machine ? page.locator(".stage").first() : page).screenshot({ path });
    console.log(`${path} ${Math.round(statSync(path).size / 1000)} kB`);
}
await browser.close();
if (errors.length) console.error(errors.join("\n"));
process.exit(errors.length ? 1 : 0);
