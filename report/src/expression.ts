// Expressions of recorded quantities: + - * / ^, brackets, functions, names such as tip.y, the time t and pi.

type Row = (i: number) => number;
export type Names = (name: string) => ArrayLike<number> | null;

const functions: Record<string, (...x: number[]) => number> = {
    sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
    sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, exp: Math.exp, ln: Math.log, log2: Math.log2, log10: Math.log10,
    sqrt: Math.sqrt, abs: Math.abs, sign: Math.sign, floor: Math.floor, ceil: Math.ceil, round: Math.round,
    min: Math.min, max: Math.max, mod: (a, b) => a - b * Math.floor(a / b),
};

const token = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][\w]*(?:\[\d+\])?(?:\.[\w]+)*)|(.))/y;

/// Compile; throws an Error that says what is wrong. A text that is a name as it stands is that quantity.
export function compile(text: string, names: Names): Row {
    const whole = names(text.trim());
    if (whole) return (i) => whole[i];
    const tokens: { number?: number; name?: string; sign?: string }[] = [];
    token.lastIndex = 0;
    for (let m = token.exec(text); m && m[0].length; m = token.exec(text)) {
        if (m[1] !== undefined) tokens.push({ number: Number(m[1]) });
        else if (m[2] !== undefined) tokens.push({ name: m[2] });
        else if (m[3].trim()) tokens.push({ sign: m[3] });
        if (token.lastIndex >= text.length) break;
    }
    let at = 0;
    const is = (sign: string) => tokens[at]?.sign === sign && ++at > 0;
    const need = (sign: string) => { if (!is(sign)) throw new Error(`'${sign}' is missing`); };

    function atom(): Row {
        const t = tokens[at++];
        if (!t) throw new Error("the expression ends too early");
        if (t.number !== undefined) return () => t.number!;
        if (t.sign === "(") {
            const inner = sum();
            need(")");
            return inner;
        }
        if (t.name === undefined) throw new Error(`unexpected '${t.sign}'`);
        const f = functions[t.name];
        if (f && is("(")) {
            const list = [sum()];
            while (is(",")) list.push(sum());
            need(")");
            return (i) => f(...list.map((a) => a(i)));
        }
        if (t.name === "pi") return () => Math.PI;
        const column = names(t.name);
        if (!column) throw new Error(`there is no '${t.name}'`);
        return (i) => column[i];
    }
    function power(): Row {
        const base = atom();
        if (!is("^")) return base;
        const exponent = unary();
        return (i) => base(i) ** exponent(i);
    }
    function unary(): Row {
        if (is("-")) { const x = unary(); return (i) => -x(i); }
        if (is("+")) return unary();
        return power();
    }
    function product(): Row {
        let left = unary();
        for (;;) {
            const a = left;
            if (is("*")) { const b = unary(); left = (i) => a(i) * b(i); }
            else if (is("/")) { const b = unary(); left = (i) => a(i) / b(i); }
            else return left;
        }
    }
    function sum(): Row {
        let left = product();
        for (;;) {
            const a = left;
            if (is("+")) { const b = product(); left = (i) => a(i) + b(i); }
            else if (is("-")) { const b = product(); left = (i) => a(i) - b(i); }
            else return left;
        }
    }
    const result = sum();
    if (at < tokens.length) throw new Error(`unexpected '${tokens[at].sign ?? tokens[at].name ?? tokens[at].number}'`);
    return result;
}
