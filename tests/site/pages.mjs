// Pages of the site, every third one or with ALL_PAGES=1 (make stress) all of them: each loads without errors and without the
// network, shows its pictures, and fits narrow and wide windows.
// Environment: ROOT, CHROMIUM; argument: the folder of the site.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "../report/browser.mjs";

const folder = process.argv[2], wide = { width: 1280, height: 800 }, narrow = { width: 390, height: 800 };
const { browser, page, errors, requests } = await launch(wide);
const isSource = (f) => /\.\w+\.html$/.test(f); // model.c.html and others: they are all made alike, those of one folder will do
const pages = readdirSync(folder, { recursive: true }).filter((f) => f.endsWith(".html") && (!isSource(f) || f.startsWith("gallery/slider-crank/")))
    .map((f) => join(folder, f)).filter((f, i) => process.env.ALL_PAGES || i % 3 === 0);
assert.ok(pages.length > 20, `${pages.length} pages`);
const faults = [];

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const path of pages) {
    const name = relative(folder, path);
    await page.goto(pathToFileURL(path).href);
    if (/^gallery.*report\.html$/.test(name)) { // a live report
        await page.waitForSelector("[role=tablist]");
        continue;
    }
    const blank = await page.evaluate(async () => {
        const images = [...document.images];
        for (const image of images) image.loading = "eager";
        await Promise.all(images.map((image) => image.complete || new Promise((done) => { image.onload = image.onerror = done; })));
        return images.filter((image) => !image.naturalWidth).map((image) => image.getAttribute("src"));
    });
    for (const src of blank) faults.push(`${name}: ${src} shows nothing`);
    for (const size of [narrow, wide]) {
        await page.setViewportSize(size);
        const beyond = await overflow();
        if (beyond > 0) faults.push(`${name}: ${beyond} px too wide for ${size.width} px`);
    }
    for (const error of errors.splice(0)) faults.push(`${name}: ${error}`);
}

// the button changes the colours, and the next page remembers
await page.goto(pathToFileURL(join(folder, "index.html")).href);
const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await back();
await page.click("#theme");
assert.notEqual(await back(), light);
await page.click("nav a[href='docs/getting-started.html']");
await page.waitForSelector("h1:has-text('Getting started')");
assert.notEqual(await back(), light);

// from a thumbnail to the live report
await page.click("header a[href='../gallery/index.html']");
await page.waitForFunction(() => document.querySelectorAll(".grid .card img").length >= 20); // the page may be on its way
await page.click(".card[href='rocking-block/index.html']");
await page.click(".poster .open");
await page.waitForSelector(".stage canvas");

await browser.close();
faults.push(...errors, ...requests.map((url) => `${url} was fetched`));
console.log(faults.join("\n"));
console.log(`${pages.length} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
