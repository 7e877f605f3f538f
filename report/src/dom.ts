// Elements in one call, and numbers for people.

type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, props: Record<string, unknown> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) e.addEventListener(key.slice(2), value as EventListener);
        else if (key in e && key !== "list") (e as unknown as Record<string, unknown>)[key] = value;
        else e.setAttribute(key, value === true ? "" : String(value));
    }
    e.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
    return e;
}

export function number(x: number | null | undefined, digits = 4): string {
    if (x === null || x === undefined || Number.isNaN(x)) return "–";
    if (x === 0) return "0";
    const a = Math.abs(x);
    if (a >= 1e5 || a < 1e-3) return x.toExponential(digits - 1).replace(/\.?0*e\+?/, "e");
    return String(Number(x.toPrecision(digits)));
}

export function withUnit(name: string, unit: string): string {
    return unit ? `${name} [${unit}]` : name;
}

/// Colours of curves: distinguishable, also without seeing red and green apart (Okabe and Ito).
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"];

export function theme(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
