// Helpers of the tests in the browser: Debian's Chromium with WebGL in software, one page, its errors collected.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export async function launch(size = { width: 1280, height: 760 }) {
    const { chromium } = createRequire(pathToFileURL(`${process.env.ROOT}/report/package.json`))("playwright-core");
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
    const page = await browser.newPage({ viewport: size });
    const errors = [], requests = [];
    page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
    page.on("pageerror", (e) => errors.push(e.message));
    page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) requests.push(r.url()); });
    return { browser, page, errors, requests };
}

export async function open(page, file) {
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("[role=tablist]");
    await settle(page);
}

/// Two frames later everything that was asked for is drawn.
export async function settle(page) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/// Go to a part of the run in [0, 1].
export async function goTo(page, part) {
    await page.evaluate((f) => {
        const { clock } = window.zeno;
        clock.set(clock.start + f * (clock.end - clock.start));
    }, part);
    await settle(page);
}

/// Pixels of a scene: how many are drawn, and a sum that tells pictures apart.
export async function pixels(page, scene = 0) {
    return page.evaluate((n) => {
        const canvas = document.querySelectorAll(".stage canvas")[n], copy = document.createElement("canvas");
        copy.width = canvas.width;
        copy.height = canvas.height;
        const g = copy.getContext("2d");
        g.drawImage(canvas, 0, 0);
        const data = g.getImageData(0, 0, copy.width, copy.height).data;
        let drawn = 0, sum = 0;
        for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] > 0) drawn++;
            sum = (sum * 31 + data[i] * 7 + data[i + 1] * 5 + data[i + 2] * 3 + data[i + 3]) % 2147483647;
        }
        return { drawn, sum };
    }, scene);
}
