// The report in Firefox: every kind of machine is drawn and moves, panels, keys, and what is left without WebGL; no complaints.
// Environment: FIREFOX; argument: the folder with the pages.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { launchFirefox } from "./bidi.mjs";
import { goTo, pixels, settle } from "./browser.mjs";
import { suite } from "./suite.mjs";

const folder = process.argv[2];
let page = await launchFirefox(process.env.FIREFOX);

const { test, end } = suite(() => page.errors);

try {
    for (const [kind, name] of [["rigid", "parallelepiped"], ["beam", "flexible-pendulum"], ["solid", "flexible-cube"], ["planar", "rocking-block"]])
        await test(`${kind}: the scene is drawn and moves`, async () => {
            await page.open(`${folder}/${name}.html`);
            await goTo(page, 0.1);
            const early = await pixels(page);
            assert.ok(early.drawn > 1000, `${early.drawn} pixels`);
            await goTo(page, 0.95);
            assert.notEqual((await pixels(page)).sum, early.sum);
            for (const tab of await page.evaluate(() => [...document.querySelectorAll("[role=tab]")].map((t) => t.id))) {
                await page.evaluate((id) => document.getElementById(id).click(), tab);
                await settle(page);
            }
            writeFileSync(`${folder}/firefox-${name}.png`, await page.picture());
        });
    await test("keys", async () => {
        await page.press("\uE011"); // Home
        assert.equal(await page.evaluate(() => window.zeno.clock.t), 0);
        await page.press("\uE014"); // arrow to the right
        const t = await page.evaluate(() => window.zeno.clock.t);
        assert.ok(Math.abs(t - 0.01) < 1e-9, `${t}`); // each step of 0.01 s is a frame
    });
    await test("two runs side by side", async () => {
        await page.open(`${folder}/compare.html`);
        await goTo(page, 0.2);
        const left = await pixels(page, 0), right = await pixels(page, 1);
        assert.ok(left.drawn > 1000 && right.drawn > 1000);
        assert.notEqual(left.sum, right.sum);
    });
} finally {
    await page.close();
}

page = await launchFirefox(process.env.FIREFOX, { headless: true });
try {
    await test("without WebGL: no scene, but all the rest", async () => {
        await page.open(`${folder}/rocking-block.html`);
        if (await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null)) {
            console.log("(this Firefox has WebGL without a display)");
            return;
        }
        assert.match(await page.evaluate(() => document.querySelector(".viewer").textContent), /no WebGL/);
        await goTo(page, 0.5);
        assert.ok(await page.evaluate(() => document.querySelectorAll(".plot canvas").length) > 0);
        assert.match(await page.evaluate(() => document.querySelector(".readout").textContent), /t = 1 s/);
    });
} finally {
    await page.close();
}
end();
