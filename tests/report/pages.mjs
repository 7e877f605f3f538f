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
    const x = 90 + (first / 2) * (box.width - 102); // where the first impact is drawn
    await page.mouse.click(box.x + x, box.y + 10);
    close(await time(), first, 0.02);
    assert.match(await page.textContent(".timeline .tip"), /impact|contact/);
});

await test("very many events: long contacts are kept, the page says what shares a mark", async () => {
    await open(page, `${folder}/hammer.html`);
    const run = await page.evaluate(() => { const { events, event_count, events_merged } = window.zeno.runs[0]; return { events, event_count, events_merged }; });
    const of = (name) => run.events.filter((e) => e.name === name), sum = (list) => list.reduce((n, e) => n + (e.of ?? 1), 0);
    assert.ok(run.event_count > 4000 && run.events.length <= 4000, `${run.events.length} of ${run.event_count}`);
    assert.equal(sum(run.events), run.event_count);
    assert.equal(sum(run.events.filter((e) => e.of)), run.events_merged);
    assert.equal(of("floor").length, 1);
    close(of("floor")[0].to - of("floor")[0].from, 6, 1e-9);
    close(sum(of("left")), sum(of("right")), 1); // in turns
    const tip = await page.textContent(".timeline .tip");
    assert.match(tip, new RegExp(`^${run.event_count.toLocaleString("en")} contact events; ${run.events_merged.toLocaleString("en")} of them, of left, right, share`));
    const box = await (await page.$(".timeline canvas")).boundingBox();
    await page.mouse.move(box.x + 10, box.y + 10); // rows are in the order of their names
    assert.match(await page.textContent(".timeline .tip"), /^floor: 1 contact event, 0 impacts; the longest 0 s to 6 s/);
    await page.mouse.move(box.x + box.width / 2, box.y + 10);
    assert.match(await page.textContent(".timeline .tip"), /^floor \(mass, ground\): contact from 0 s to 6 s, still closed at the end, impulse 6 N s, peak force 1 N/); // weight 1 N
});

await test("keys go on within a contact that lasts", async () => {
    await goTo(page, 0.5);
    let last = await time();
    for (let i = 0; i < 5; i++, last = await time()) {
        await page.keyboard.press("n");
        assert.ok((await time()) > last);
    }
    await page.keyboard.press("End");
    await page.keyboard.press("n");
    close(await time(), 6, 1e-9);
    assert.match(await page.textContent(".timeline .tip"), /no later contact event/);
});

await test("the legend tells the values of now, of stacked areas each its own", async () => {
    await open(page, `${folder}/rocking-block.html`);
    await page.mouse.move(5, 5);
    await goTo(page, 0.12);
    const said = async (where) => Object.fromEntries(await page.$$eval(`${where} .u-legend .u-series`, (rows) => rows.map((r) =>
        [r.querySelector(".u-label").textContent, Number(r.querySelector(".u-value").textContent)])));
    const now = await page.evaluate(() => {
        const { clock, runs: [run] } = window.zeno, at = (times) => times.findLastIndex((t) => t <= clock.t + 1e-9);
        return { y: run.columns.find((c) => c.name === "y").values[at(run.time)], kinetic: run.scene.ledger[at(run.scene.time) * run.ledger.length],
            contact: run.scene.ledger[at(run.scene.time) * run.ledger.length + run.ledger.findIndex((l) => l.name === "contact")] };
    });
    close((await said(".card:first-of-type")).y, now.y, 1e-4 * Math.abs(now.y));
    await page.click("#tab-Energy");
    await page.mouse.move(5, 5);
    await settle(page);
    const energy = await said("#panel-Energy");
    close(energy["kinetic energy"], now.kinetic, 1e-4 * now.kinetic);
    close(energy["lost: work of contacts (impacts)"], -now.contact, 1e-4 * -now.contact);
    assert.ok(now.kinetic > 0.01 && now.contact < -0.01);
    await page.click("#tab-Plots");
});

await test("a narrow window", async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    for (const name of ["rocking-block", "compare", "order"]) {
        await open(page, `${folder}/${name}.html`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 420);
    }
    await open(page, `${folder}/rocking-block.html`);
    assert.ok((await (await page.$(".stage canvas")).boundingBox()).height > 300);
    await page.setViewportSize({ width: 1280, height: 760 });
});

await test("on paper: all panels, all plots, light", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open(page, `${folder}/rocking-block.html`);
    const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const look = () => page.evaluate(() => ({ back: getComputedStyle(document.body).backgroundColor, empty: [...document.querySelectorAll(".card")].filter((c) => !c.querySelector("canvas")).length,
        panels: [...document.querySelectorAll("[role=tabpanel]")].filter((p) => !p.hidden).map((p) => p.id), tabs: document.querySelectorAll("[role=tab]").length,
        wide: Math.max(...[...document.querySelectorAll("canvas")].map((c) => c.getBoundingClientRect().right)) }));
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const paper = await look();
    assert.equal(paper.panels.length, paper.tabs);
    assert.equal(paper.empty, 0);
    assert.ok(paper.wide <= 701, `${paper.wide}`);
    assert.notEqual(paper.back, dark);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    const screen = await look();
    assert.deepEqual(screen.panels, ["panel-Plots"]);
    assert.equal(screen.back, dark);
    await page.emulateMedia({ colorScheme: null });
    await page.click("#tab-Plots");
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

await test("energy from nowhere is told", async () => {
    await open(page, `${folder}/tumbling.html`);
    assert.match(await page.textContent("header"), /energy from nowhere/);
    await page.click("#tab-Certificate");
    const text = await page.textContent(".certificate");
    assert.match(text, /energy created/);
    assert.match(text, /energy from nowhere, no limit set/);
    assert.match(text, /numerical energy/);
});

await test("contact pressure along boundaries, facets, momenta in the certificate", async () => {
    await open(page, `${folder}/discs.html`);
    const facts = await page.evaluate(() => {
        const { runs: [run] } = window.zeno, s = run.scene, n = s.boundaryNode.length, X = s.reference, column = (name) => run.columns.find((c) => c.name === name).values;
        const area = new Float64Array(n); // thickness 1; nothing is very far from its undeformed length
        for (const b of s.boundaries)
            for (let i = 0; i < b.count; i++) {
                const j = (i + 1) % b.count, p = s.boundaryNode[b.first + i], q = s.boundaryNode[b.first + j];
                const half = 0.5 * Math.hypot(X[3 * p] - X[3 * q], X[3 * p + 1] - X[3 * q + 1]);
                area[b.first + i] += half;
                area[b.first + j] += half;
            }
        const sum = (b, f) => Array.from({ length: b.count }, (_, i) => area[b.first + i] * s.pressure[f * n + b.first + i]).reduce((a, c) => a + c);
        const acted = [...s.contactState.keys()].filter((k) => s.contactState[k] > 0);
        return { names: s.boundaries.map((b) => b.name), closed: s.boundaries.map((b) => b.closed), frames: s.frames, rows: run.rows,
            force: s.boundaries.map((b) => Array.from(s.time, (_, f) => sum(b, f))), recorded: [...column("f")], pressure: [...column("p")],
            largest: Array.from(s.time, (_, f) => Math.max(...s.pressure.subarray(f * n, (f + 1) * n))),
            acted: acted.length, segments: acted.filter((k) => s.contactFacet[4 * k] >= 0 && s.contactFacet[4 * k + 1] >= 0 && s.contactFacet[4 * k + 2] < 0).length };
    });
    assert.deepEqual(facts.names.sort(), ["low", "up"]);
    assert.deepEqual(facts.closed, [true, true]);
    assert.equal(facts.frames, facts.rows); // each step is a frame
    const strongest = Math.max(...facts.recorded);
    assert.ok(strongest > 10 && facts.acted > 10);
    assert.equal(facts.segments, facts.acted); // each acts on a segment
    facts.recorded.forEach((f, k) => {
        close(facts.largest[k], facts.pressure[k], 1e-5 * Math.max(...facts.pressure)); // single precision
        for (const side of facts.force) close(side[k], f, 0.1 * strongest); // all of the force is on each of the two sides
    });
    await page.click("#tab-Pressure");
    await goTo(page, 0.4);
    assert.equal(await page.isChecked("#panel-Pressure input[type=checkbox]"), true); // steps alternate
    const legend = () => page.textContent("#panel-Pressure .plot:last-of-type .u-legend");
    const centred = await legend();
    await page.click("#panel-Pressure input[type=checkbox]");
    await page.mouse.move(5, 5);
    await settle(page);
    assert.notEqual(await legend(), centred);
    const before = await pixels(page);
    await page.click(".tools label:has-text('contacts') input");
    await settle(page);
    assert.notEqual((await pixels(page)).sum, before.sum);
    await page.selectOption(".tools label:has-text('colour') select", { label: "contact pressure" });
    await settle(page);
    assert.match(await page.textContent(".stage .colourbar"), /contact pressure \[Pa\]/);
    await page.click("#tab-Certificate");
    const text = await page.textContent(".certificate");
    for (const line of [/linear momentum/, /angular momentum/, /angular, about centre/, /contact frames/]) assert.match(text, line);
    assert.match(await page.textContent("header"), /no limit broken/);
    await open(page, `${folder}/rocking-block.html`); // others have none of it
    assert.equal(await page.$("#tab-Pressure"), null);
    await page.click("#tab-Certificate");
    assert.doesNotMatch(await page.textContent(".certificate"), /about centre|contact frames|debt/);
});

await test("two runs compared", async () => {
    await open(page, `${folder}/compare.html`);
    assert.match(await page.textContent("header"), /2 runs/);
    assert.equal((await page.$$(".card:first-of-type .u-legend .u-series")).length, 3); // time and two curves
    await page.click("#tab-Certificate");
    assert.equal((await page.$$(".certificate thead th")).length, 3);
    assert.match(await page.textContent(".certificate"), /BROKEN/); // Moreau-Jean penetrates
    assert.match(await page.textContent(".certificate"), /kept/);
    assert.match(await page.textContent("header"), /moreau: a limit was broken/);
    assert.match(await page.textContent(".timeline .tip"), /contact events of rocking-block/);
    await page.selectOption(".events-of select", "moreau");
    assert.match(await page.textContent(".timeline .tip"), /contact events of moreau/);
});

await test("two runs of different things: what one lacks the other shows", async () => {
    await open(page, `${folder}/unlike.html`);
    const card = ".card:first-of-type", input = `${card} .card-tools input:first-child`;
    await page.fill(input, "angle, x");
    await page.dispatchEvent(input, "change");
    await settle(page);
    assert.match(await page.textContent(`${card} .message`), /^rocking-block: there is no 'x'; hammer: there is no 'angle'$/);
    assert.match(await page.textContent(`${card} .u-legend`), /angle, rocking-block.*x, hammer/);
    await page.fill(input, "nothing");
    await page.dispatchEvent(input, "change");
    assert.match(await page.textContent(`${card} .message`), /there is no 'nothing'/);
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

await test("a body of triangles", async () => {
    await open(page, `${folder}/part.html`);
    const { volume, centre } = await page.evaluate(() => { // by the theorem of divergence, of what is drawn
        const { machine } = window.zeno.viewer.actors[0], p = machine.bodies[0].object.children[0].geometry.attributes.position;
        const at = (i) => [p.getX(i), p.getY(i), p.getZ(i)];
        let volume = 0, moment = [0, 0, 0];
        for (let i = 0; i < p.count; i += 3) {
            const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
            const v = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
            volume += v;
            moment = moment.map((m, k) => m + v * (a[k] + b[k] + c[k]) / 4);
        }
        return { volume, centre: moment.map((m) => m / volume) };
    });
    close(volume, 4.3979e-5, 5e-8); // 60 x 40 x 20 mm with a bore of radius 8 mm, which is a polygon here
    for (const x of centre) close(x, 0, 2e-5);
    assert.ok((await pixels(page)).drawn > 1000);
});

// Of the triangles that are drawn: their area, and their volume by the theorem of divergence.
const measures = (name) => page.evaluate((n) => {
    const { machine } = window.zeno.viewer.actors[0];
    return machine.bodies.filter((b) => b.body.name === n).map(({ object, tint }) => {
        const mesh = object.children[0], g = mesh.geometry.index ? mesh.geometry.toNonIndexed() : mesh.geometry, p = g.attributes.position;
        const at = (i) => [p.getX(i), p.getY(i), p.getZ(i)], minus = (a, b) => a.map((x, k) => x - b[k]);
        const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let area = 0, volume = 0;
        for (let i = 0; i < p.count; i += 3) {
            const [a, b, c] = [at(i), at(i + 1), at(i + 2)], n = cross(minus(b, a), minus(c, a));
            area += 0.5 * Math.hypot(...n);
            volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
        }
        return { area, volume, colour: tint.getHexString() };
    });
}, name);

await test("shapes as they are", async () => {
    await open(page, `${folder}/shapes.html`);
    const prism = (n, r, l) => 0.5 * n * r * r * Math.sin((2 * Math.PI) / n) * l;
    const [drum] = await measures("a"), b = await measures("b"), [pole] = await measures("pole");
    close(drum.volume, prism(48, 0.4, 0.6), 1e-6);
    close(pole.volume, prism(48, 0.05, 1.5), 1e-7);
    assert.equal(b.length, 2); // a puck and a disc
    close(b[0].volume, prism(48, 0.2, 0.1), 1e-7);
    close(b[1].area, prism(48, 0.1, 1), 1e-7);
    assert.equal(b[0].colour, b[1].colour); // pieces have the colour of their body
});

await test("patches, resultants, planes without end", async () => {
    await goTo(page, 0.9);
    const seen = () => page.evaluate(() => {
        const { patches, contacts } = window.zeno.viewer.actors[0], g = patches.sheet.geometry, p = g.attributes.position;
        const at = (i) => [p.getX(i), p.getY(i)];
        let area = 0;
        for (let i = 0; i < g.drawRange.count; i += 3) {
            const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
            area += 0.5 * Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        }
        return { area, bars: patches.bars.count, sheet: patches.sheet.visible, arrows: contacts.arrowsOf.heads.count,
            resultants: patches.arrows.group.visible ? patches.arrows.heads.count : 0 };
    });
    const first = await seen();
    close(first.area, 6 * Math.sin(Math.PI / 6) * (0.4 ** 2 + 0.2 ** 2), 1e-6);
    assert.deepEqual([first.bars, first.arrows, first.resultants], [1, 1, 3]); // the roll; the ball; drum, puck and roll
    assert.match(await page.textContent(".legend .patch"), /strongest patch: all: (drum, floor|floor, drum): 118 N on 0\.48 m², 245 Pa/);
    assert.match(await page.textContent(".stage"), /mean pressure of patches \[Pa\]/);
    await page.click(".tools label:has-text('resultants') input");
    await settle(page);
    const second = await seen();
    assert.equal(second.resultants, 0);
    assert.equal(second.arrows, 12 + 12 + 2 + 1); // all of them again
    await page.click(".tools label:has-text('patches') input");
    await settle(page);
    assert.equal((await seen()).sheet, false);
    const plane = await page.evaluate(() => { // opacity of its sheet in the middle and at the rim
        const group = window.zeno.viewer.actors[0].machine.carried[0].object.children[0], mesh = group.children[0];
        const p = mesh.geometry.attributes.position, c = mesh.geometry.attributes.color, far = [];
        let most = 0;
        for (let i = 0; i < p.count; i++) most = Math.max(most, Math.hypot(p.getX(i), p.getY(i)));
        for (let i = 0; i < p.count; i++) if (Math.hypot(p.getX(i), p.getY(i)) > 0.999 * most) far.push(c.getW(i));
        return { middle: c.getW(0), rim: Math.max(...far), writes: mesh.material.depthWrite };
    });
    assert.ok(plane.middle > 0.05 && plane.middle < 0.3 && plane.rim < 1e-6 && !plane.writes, JSON.stringify(plane));
});

await test("shapes in the plane", async () => {
    await open(page, `${folder}/flat.html`);
    await goTo(page, 1);
    const [crate] = await measures("a"), gold = await measures("b"), [kerb] = await measures("kerb"), [bar] = await measures("c");
    close(crate.area, 0.5, 1e-6);
    close(kerb.area, 0.09, 1e-6);
    close(bar.area, 0.1 + 36 * 0.01 * Math.sin(Math.PI / 36), 1e-6); // a rectangle and a polygon of 72 sides
    assert.deepEqual(gold.map((m) => m.colour), ["d4a017", "d4a017"]);
    const { low, high } = await page.evaluate(() => { const e = window.zeno.viewer.actors[0].machine.extent; return { low: e.low.toArray(), high: e.high.toArray() }; });
    assert.ok(low[0] < -0.9 && low[0] > -4 && high[0] > 3.1 && high[0] < 6, `${low} ${high}`); // of the long table what is near
    assert.match(await page.textContent(".legend .patch"), /147 N on 1 m, 147 N\/m/);
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
