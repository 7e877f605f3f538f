// Tabs with the keys that are usual for them. A panel is made when it is first shown.
import { h } from "./dom";

export interface Tab { name: string; make: () => HTMLElement }

export function tabs(list: Tab[]): HTMLElement {
    const bar = h("div", { className: "tabs", role: "tablist" }), body = h("div", { className: "tab-body" });
    const buttons = list.map((tab, i) => h("button", { type: "button", role: "tab", id: `tab-${tab.name}`, "aria-controls": `panel-${tab.name}`, onclick: () => show(i) }, tab.name));
    const panels: (HTMLElement | null)[] = list.map(() => null);
    let current = 0;
    function make(i: number): HTMLElement {
        const panel = list[i].make();
        panel.id = `panel-${list[i].name}`;
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", `tab-${list[i].name}`);
        body.append(panel);
        return panel;
    }
    function show(i: number, focus = false): void {
        current = i;
        buttons.forEach((b, k) => {
            b.setAttribute("aria-selected", String(k === i));
            b.tabIndex = k === i ? 0 : -1;
        });
        panels[i] ??= make(i);
        panels.forEach((p, k) => { if (p) p.hidden = k !== i; });
        if (focus) buttons[i].focus();
        window.dispatchEvent(new Event("resize"));
    }
    bar.addEventListener("keydown", (e) => {
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const to = e.key === "ArrowRight" ? at + 1 : e.key === "ArrowLeft" ? at - 1 : e.key === "Home" ? 0 : e.key === "End" ? list.length - 1 : NaN;
        if (Number.isNaN(to)) return;
        e.preventDefault();
        e.stopPropagation();
        show((to + list.length) % list.length, true);
    });
    document.addEventListener("zeno-print", () => { // on paper all of them, in their order
        panels.forEach((p, k) => (panels[k] = p ?? make(k)).hidden = false);
        body.append(...panels.map((p) => p!));
    });
    document.addEventListener("zeno-printed", () => show(current));
    bar.append(...buttons);
    if (list.length) show(0);
    return h("section", { className: "side", "aria-label": "data" }, bar, body);
}
