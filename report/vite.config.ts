import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One HTML file, dist/report.html, with nothing outside of it.
export default defineConfig({
    plugins: [viteSingleFile({ removeViteModuleLoader: true })],
    build: {
        target: "es2022",
        assetsInlineLimit: 100_000_000,
        reportCompressedSize: false,
        emptyOutDir: true,
        rollupOptions: { input: "report.html" },
    },
});
