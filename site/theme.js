// Light or dark: as the system, until the button says otherwise; remembered where the browser allows it.
(() => {
    const root = document.documentElement, key = "zeno-theme";
    const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
    const store = (value) => { try { localStorage.setItem(key, value); } catch { /* then only this page */ } };
    if (stored()) root.dataset.theme = stored();
    const narrow = matchMedia("(max-width: 900px)");
    document.addEventListener("DOMContentLoaded", () => {
        document.getElementById("theme").addEventListener("click", () => {
            const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
            root.dataset.theme = dark ? "light" : "dark";
            store(root.dataset.theme);
        });
        const menu = document.querySelector(".menu");
        const fold = () => { menu.open = !narrow.matches; };
        narrow.addEventListener("change", fold);
        fold();
        document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });
    });
})();
