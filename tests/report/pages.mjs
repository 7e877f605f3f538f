// The report in a browser: every kind of machine is drawn and moves, and what can be clicked does what it says.
// Environment: ROOT, CHROMIUM; argument: the folder with the pages.
import assert from "node:assert/strict";
import { goTo, launch, open, pixels, settle } from "./browser.mjs";
import { suite } from "./suite.mjs";

const folder = process.argv[2];
const { browser, page, errors, requests } = await launch();
const { test, end } = suite(() => errors);

const time = () => page.evaluate(() => window.zeno.clock.t);
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} within ${tolerance}`);

for (const [kind, name] of [["rigid", "parallelepiped"], ["beam", "flexible-pendulum"], ["solid", "flexible-cube"], ["planar", "rocking-block"]])
    await test(`${kind}: the scene is drawn and moves`, async () => {
        await open(page, `${folder}/${name}.html`);
        await goTo(page, 0.1);
        const early = await pixels(page);
        assert.ok(early.drawn > 1000, `${early.drawn} pixels`);
        await goTo(page, 0.95);
        const late = await pixels(page);
        assert.notEqual(early.sum, late.sum);
        for (const tab of await page.$$("[role=tab]")) { // every panel can be shown
            await tab.click();
            await settle(page);
        }
    });

await test("play and pause", async () => {
    await goTo(page, 0);
    await page.click(".play");
    await page.waitForFunction(() => window.zeno.clock.t > window.zeno.clock.start, null, { timeout: 5000 });
    assert.equal(await page.getAttribute(".play", "aria-label"), "pause");
    await page.click(".play");
    const t = await time();
    await settle(page);
    assert.equal(await time(), t);
});

await test("scrub and keys", async () => {
    await page.focus("input[type=range]");
    await page.$eval("input[type=range]", (e) => { e.value = "50"; e.dispatchEvent(new Event("input")); });
    close(await time(), 0.5, 1e-9); // 200 steps of 0.01 s, each a frame
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("ArrowRight");
    close(await time(), 0.51, 1e-9);
    await page.keyboard.press("End");
    close(await time(), 2, 1e-9);
    assert.match(await page.textContent(".readout"), /t = 2 s/);
});

await test("events: keys and clicks", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    const first = await page.evaluate(() => Math.min(...window.zeno.runs[0].events.map((e) => e.to)));
    close(await time(), first, 1e-9);
    await page.keyboard.press("n");
    assert.ok((await time()) > first);
    await page.keyboard.press("p");
    close(await time(), first, 1e-9);
    await page.keyboard.press("Home");
    const box = await (await page.$(".timeline canvas")).boundingBox();
    const x = 90 + (first / 2) * (box.width - 98); // where the first impact is drawn
    await page.mouse.click(box.x + x, box.y + 10);
    close(await time(), first, 0.02);
    assert.match(await page.textContent(".timeline .tip"), /impact|contact/);
});

await test("zoom a plot, an expression, a curve over another", async () => {
    await page.click("#tab-Plots");
    const over = await (await page.$(".plot .u-over")).boundingBox();
    const ticks = () => page.evaluate(() => document.querySelector(".plot canvas").toDataURL());
    const before = await ticks();
    await page.mouse.move(over.x + 0.2 * over.width, over.y + 30);
    await page.mouse.down();
    await page.mouse.move(over.x + 0.5 * over.width, over.y + 40, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert.notEqual(await ticks(), before);
    await page.mouse.dblclick(over.x + 20, over.y + 20);
    const input = ".card:first-of-type .card-tools input:first-child";
    await page.fill(input, "gap_A - gap_B, sin(angle)*2");
    await page.dispatchEvent(input, "change");
    await settle(page);
    assert.match(await page.textContent(".card:first-of-type .u-legend"), /gap_A - gap_B/);
    await page.fill(input, "gap_A - nothing");
    await page.dispatchEvent(input, "change");
    assert.match(await page.textContent(".card:first-of-type .message"), /there is no 'nothing'/);
    await page.fill(input, "spin");
    await page.fill(".card:first-of-type .card-tools input:nth-of-type(2)", "angle");
    await page.dispatchEvent(input, "change");
    await settle(page);
    assert.equal(await page.textContent(".card:first-of-type .message"), "");
});

await test("colours, deformation, ghosts, dark", async () => {
    await open(page, `${folder}/flexible-cube.html`);
    await goTo(page, 1); // it has met the floor
    const plain = await pixels(page);
    await page.selectOption(".tools label:has-text('colour') select", { label: "velocity" });
    await settle(page);
    const velocity = await pixels(page);
    assert.notEqual(velocity.sum, plain.sum);
    assert.match(await page.textContent(".stage .colourbar"), /velocity \[m\/s\]/);
    await page.fill(".tools input[type=number]", "3");
    await page.dispatchEvent(".tools input[type=number]", "change");
    await settle(page);
    const large = await pixels(page);
    assert.notEqual(large.sum, velocity.sum);
    await page.selectOption(".tools label:has-text('ghosts') select", { label: "5" });
    await settle(page);
    assert.ok((await pixels(page)).drawn > large.drawn);
    const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.click("header button");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
});

await test("two runs compared", async () => {
    await open(page, `${folder}/compare.html`);
    assert.match(await page.textContent("header"), /2 runs/);
    assert.equal((await page.$$(".card:first-of-type .u-legend .u-series")).length, 3); // time and two curves
    await page.click("#tab-Certificate");
    assert.equal((await page.$$(".certificate thead th")).length, 3);
    assert.match(await page.textContent(".certificate"), /BROKEN/); // Moreau-Jean penetrates
    assert.match(await page.textContent(".certificate"), /kept/);
});

// Camera and frame of each scene.
const scenes = () => page.evaluate(() => window.zeno.viewer.actors.map(({ stage, frame, scene }) => ({
    at: stage.camera.position.toArray(), zoom: stage.camera.zoom, height: stage.camera.top - stage.camera.bottom, t: scene.time[frame] })));
const choose = (what) => page.selectOption(".tools label:has-text('scenes') select", what);

await test("two scenes side by side: same time, same camera", async () => {
    await open(page, `${folder}/compare.html`);
    assert.equal((await page.$$(".stage canvas")).length, 2);
    await goTo(page, 0.2);
    const [a, b] = await scenes();
    close(a.t, 0.4, 1e-9); // of 2 s
    close(b.t, 0.4, 1e-9);
    assert.deepEqual(a.at, b.at);
    const left = await pixels(page, 0), right = await pixels(page, 1);
    assert.ok(left.drawn > 1000 && right.drawn > 1000);
    assert.notEqual(left.sum, right.sum); // one scheme penetrates
    assert.match(await page.textContent(".stage:nth-child(2) .legend"), /moreau/);
    await page.focus(".stage:nth-child(2) canvas");
    await page.keyboard.press("+");
    const [c, d] = await scenes();
    close(d.zoom, 1.2 * b.zoom, 1e-12);
    assert.deepEqual(c, d);
    const box = await (await page.$(".stage canvas")).boundingBox();
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 130, box.y + 120, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    const [e, f] = await scenes();
    assert.notDeepEqual(e.at, c.at);
    assert.deepEqual(e, f);
    await page.click("header button"); // dark, and the camera stays
    await settle(page);
    assert.deepEqual(await scenes(), [e, f]);
    await page.click(".tools button:has-text('fit')");
    close((await scenes())[1].zoom, 1, 1e-12);
    await page.click("header button");
});

await test("scenes overlaid, and each alone", async () => {
    const sums = [];
    for (const what of [{ label: "overlaid" }, { label: "rocking-block" }, { label: "moreau" }]) {
        await choose(what);
        await goTo(page, 0.2);
        assert.equal((await page.$$(".stage canvas")).length, 1);
        sums.push((await pixels(page)).sum);
    }
    assert.equal(new Set(sums).size, 3);
    for (let i = 0; i < 20; i++) await choose({ index: i % 4 }); // contexts are given back
    await choose({ index: 0 });
    await goTo(page, 0.2);
    assert.ok((await pixels(page, 1)).drawn > 1000);
});

await test("parts that share nodes deform together", async () => {
    await open(page, `${folder}/frame.html`);
    await goTo(page, 1);
    await page.fill(".tools input[type=number]", "50");
    await page.dispatchEvent(".tools input[type=number]", "change");
    const worst = await page.evaluate(() => {
        const { machine, frame, scene } = window.zeno.viewer.actors[0], n = scene.nodes;
        let error = 0, size = 0;
        for (let i = 0; i < n; i++)
            for (let k = 0; k < 2; k++) { // held: x = X + 50 u at every node
                const u = scene.u[(frame * n + i) * 2 + k];
                error = Math.max(error, Math.abs(machine.pose.x[3 * i + k] - scene.reference[3 * i + k] - 50 * u));
                size = Math.max(size, Math.abs(50 * u));
            }
        return error / size;
    });
    assert.ok(worst < 1e-5, `${worst}`); // single precision
});

await test("convergence study", async () => {
    await open(page, `${folder}/order.html`);
    assert.match(await page.textContent("#panel-Convergence"), /order 0\.9|order 1/);
});

await test("a run that was killed", async () => {
    await open(page, `${folder}/killed.html`);
    assert.match(await page.textContent("header"), /not finished/);
    await goTo(page, 1);
    assert.ok((await pixels(page)).drawn > 100);
});

await test("nothing is fetched", async () => assert.deepEqual(requests, []));

await browser.close();
end();
