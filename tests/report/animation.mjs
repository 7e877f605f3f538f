// Frames of the reports of some problems, frame-NNN.png in the folder that is given: animation.mjs FOLDER
import { goTo, launch, open } from "./browser.mjs";

// Name, panel, from and to which part of the run, number of frames.
const parts = [["rocking-block", "Energy", 0, 0.42, 30], ["flexible-cube", "Plots", 0.55, 1, 34],
    ["slider-crank", "Plots", 0, 0.5, 34], ["sphere-pile", "Plots", 0, 0.75, 34]];
const folder = process.argv[2], { browser, page, errors } = await launch({ width: 1180, height: 700 });
let count = 0;
for (const [name, panel, from, to, frames] of parts) {
    await open(page, `${folder}/${name}.html`);
    await page.click(`#tab-${panel}`);
    for (let i = 0; i < frames; i++) {
        await goTo(page, from + ((to - from) * i) / (frames - 1));
        await page.screenshot({ path: `${folder}/frame-${String(count++).padStart(3, "0")}.png` });
    }
}
await browser.close();
if (errors.length) console.error(errors.join("\n"));
process.exit(errors.length ? 1 : 0);
