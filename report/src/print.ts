// On paper: light, the scene and the time line above all panels, as wide as a sheet. Everything is drawn before the browser looks.

export function printing(): void {
    const root = document.documentElement;
    let before: string | undefined;
    addEventListener("beforeprint", () => {
        before = root.dataset.theme;
        root.dataset.theme = "light";
        root.classList.add("printing");
        document.dispatchEvent(new Event("zeno-theme"));
        document.dispatchEvent(new Event("zeno-print"));
        document.dispatchEvent(new Event("zeno-layout"));
    });
    addEventListener("afterprint", () => {
        root.classList.remove("printing");
        if (before === undefined) delete root.dataset.theme;
        else root.dataset.theme = before;
        document.dispatchEvent(new Event("zeno-printed"));
        document.dispatchEvent(new Event("zeno-theme"));
        document.dispatchEvent(new Event("zeno-layout"));
    });
}
