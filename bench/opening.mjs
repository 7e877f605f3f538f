// Seconds from the start of loading a report until its scene and plots are drawn: opening.mjs PAGE
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, pixels, settle } from "../tests/report/browser.mjs";

const file = process.argv[2], bound = 3, times = [], busy = [];
for (let i = 0; i < 5; i++) {
    const { browser, page } = await launch();
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector(".plot canvas");
    await settle(page);
    times.push((performance.now() - start) / 1000);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    busy.push((await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "ProcessTime").value);
    if ((await pixels(page)).drawn < 1000) throw new Error("the scene is blank");
    await browser.close();
}
const least = Math.min(...times);
console.log(`report of ${(statSync(file).size / 1e6).toFixed(1)} MB opens in ${least.toFixed(2)} s (${times.map((t) => t.toFixed(2)).join(", ")}), ` +
    `processor time of the page ${Math.min(...busy).toFixed(2)} s`);
console.log(least < bound ? "bound kept" : `BROKEN: more than ${bound} s`);
process.exit(least < bound ? 0 : 1);
