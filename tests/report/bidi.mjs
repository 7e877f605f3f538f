// Firefox, driven by WebDriver BiDi, its own protocol: one page, its errors collected. On a display of Xvfb, for without one it has
// no WebGL; or without display, to see how the page does without WebGL.
// Needs WebSocket: Node.js 22, or 20 with --experimental-websocket.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// WebGL in software, and no calls home.
const preferences = {
    "webgl.force-enabled": true, "webgl.disable-fail-if-major-performance-caveat": true, "app.update.enabled": false,
    "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "toolkit.telemetry.enabled": false,
    "network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false, "app.normandy.enabled": false,
    "services.settings.server": "data:,", "browser.startup.page": 0, "extensions.update.enabled": false,
};

function listening(process) {
    return new Promise((done, fail) => {
        let said = "";
        process.stderr.on("data", (text) => {
            said += text;
            const match = said.match(/BiDi listening on (ws:\S+)/);
            if (match) done(match[1]);
        });
        process.on("exit", (code) => fail(new Error(`Firefox ended with ${code}: ${said}`)));
    });
}

/// A display that nobody sees: { name, close }.
async function display(size) {
    const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", `${size.width + 40}x${size.height + 200}x24`, "-nolisten", "tcp"],
        { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const name = await new Promise((done, fail) => {
        server.stdio[3].on("data", (text) => done(`:${String(text).trim()}`));
        server.on("error", fail);
        server.on("exit", (code) => fail(new Error(`Xvfb ended with ${code}`)));
    });
    return { name, close: () => server.kill() };
}

export async function launchFirefox(program, { headless = false, size = { width: 1280, height: 760 } } = {}) {
    const screen = headless ? null : await display(size);
    const profile = mkdtempSync(join(tmpdir(), "zeno-firefox-"));
    writeFileSync(join(profile, "user.js"), Object.entries(preferences)
        .map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`).join(""));
    const options = [...(headless ? ["--headless"] : []), "--no-remote", "--remote-debugging-port", "0", "--profile", profile];
    const firefox = spawn(program, options,
        { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, DISPLAY: screen?.name ?? "", LIBGL_ALWAYS_SOFTWARE: "1" } });
    const socket = new WebSocket(`${await listening(firefox)}/session`);
    await new Promise((done, fail) => { socket.onopen = done; socket.onerror = () => fail(new Error("no connection to Firefox")); });
    const waiting = new Map(), errors = [];
    let last = 0;
    socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.method === "log.entryAdded" && message.params.level === "error") errors.push(message.params.text);
        const asked = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.type === "error") asked?.fail(new Error(`${message.error}: ${message.message}`));
        else asked?.done(message.result);
    };
    const send = (method, params) => new Promise((done, fail) => {
        waiting.set(++last, { done, fail });
        socket.send(JSON.stringify({ id: last, method, params }));
    });
    await send("session.new", { capabilities: {} });
    await send("session.subscribe", { events: ["log.entryAdded"] });
    const { contexts: [{ context }] } = await send("browsingContext.getTree", {});
    await send("browsingContext.setViewport", { context, viewport: size });
    return {
        errors,
        open: (file) => send("browsingContext.navigate", { context, url: pathToFileURL(file).href, wait: "complete" }),
        /// The value of f(argument) in the page; both and the value as JSON.
        async evaluate(f, argument = null) {
            const answer = await send("script.evaluate", { target: { context }, awaitPromise: true,
                expression: `(async () => JSON.stringify(await (${f})(${JSON.stringify(argument)})) ?? "null")()` });
            if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
            return JSON.parse(answer.result.value);
        },
        /// What a key does where the focus is.
        press: (key) => send("input.performActions", { context, actions: [{ type: "key", id: "keys",
            actions: [{ type: "keyDown", value: key }, { type: "keyUp", value: key }] }] }),
        picture: async () => Buffer.from((await send("browsingContext.captureScreenshot", { context })).data, "base64"),
        async close() {
            await send("browser.close", {}).catch(() => firefox.kill());
            socket.close();
            if (firefox.exitCode === null)
                await new Promise((done) => {
                    firefox.on("exit", done);
                    setTimeout(() => { firefox.kill("SIGKILL"); done(); }, 10000).unref();
                });
            screen?.close();
            rmSync(profile, { recursive: true, force: true });
        },
    };
}
