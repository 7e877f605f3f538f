// Tests one after the other; each fails if it throws or if the page complained meanwhile.
import assert from "node:assert/strict";

/// errors(): the list in which complaints of the page are collected.
export function suite(errors) {
    let passed = 0, failed = 0;
    return {
        async test(name, body) {
            try {
                await body();
                assert.deepEqual(errors(), [], "console errors");
                console.log(`ok   ${name}`);
                passed++;
            } catch (e) {
                console.log(`FAIL ${name}: ${e.message}`);
                failed++;
            }
            errors().length = 0;
        },
        end() {
            console.log(`\n${passed} passed, ${failed} failed`);
            process.exit(failed > 0 ? 1 : 0);
        },
    };
}
