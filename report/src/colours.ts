// A scale of colours that grows evenly in lightness (after viridis), and its bar.
import { h, number } from "./dom";

const stops = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137],
    [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]];

/// Colour of x in [0, 1], as three numbers in [0, 255].
export function colourAt(x: number, out: number[] = [0, 0, 0]): number[] {
    const at = Math.min(Math.max(Number.isNaN(x) ? 0 : x, 0), 1) * (stops.length - 1);
    const i = Math.min(Math.floor(at), stops.length - 2), f = at - i;
    for (let k = 0; k < 3; k++) out[k] = stops[i][k] + f * (stops[i + 1][k] - stops[i][k]);
    return out;
}

export class ColourBar {
    readonly element = h("div", { className: "colourbar", hidden: true });

    show(label: string, low: number, high: number): void {
        const gradient = stops.map((s) => `rgb(${s.join()})`).join();
        this.element.hidden = false;
        this.element.replaceChildren(
            h("div", { className: "colourbar-label" }, label),
            h("div", { className: "colourbar-scale", style: `background:linear-gradient(to right,${gradient})` }),
            h("div", { className: "colourbar-ends" }, h("span", {}, number(low, 3)),
                h("span", {}, number(0.5 * (low + high), 3)), h("span", {}, number(high, 3))));
    }

    hide(): void { this.element.hidden = true; }
}
