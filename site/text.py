"""Markdown as HTML, the way GitHub shows it: cmark-gfm, then anchors on headings, captions of files, colours of code."""
import html
import re
import subprocess

COMMAND = ["cmark-gfm", "--unsafe", "--full-info-string", "-e", "table", "-e", "autolink"]

# What is worth a colour, by language: (class, pattern). Patterns see text that is escaped for HTML.
STRING = ("string", r"&quot;(?:(?!&quot;).)*&quot;|'[^'\n]*'")
HASH = ("comment", r"(?:(?<=\s)|^)#[^\n]*")
CODE = {
    "sh": [HASH, STRING, ("word", r"(?m:^ *(?:zeno [a-z]+|make [a-z]+|for|done|if|fi|do)\b)")],
    "yaml": [HASH, STRING, ("word", r"(?m:^ *[A-Za-z_][\w.-]*(?=:))|(?<=[{,] )[A-Za-z_]\w*(?=:)|(?<=\{)[A-Za-z_]\w*(?=:)")],
    "python": [HASH, STRING, ("word", r"\b(?:import|from|as|def|return|for|in|if|else|with|assert|print)\b")],
    "c": [("comment", r"/\*.*?\*/|//[^\n]*"), STRING,
          ("word", r"\b(?:static|const|int|double|char|void|return|if|for|struct|typedef|while|else)\b|#include")],
    "cmake": [HASH, ("word", r"\b[a-z_]+(?=\()")],
}


def slug(title, seen):
    """Anchor of a heading as GitHub makes it; a second one of the same text gets a number."""
    plain = html.unescape(re.sub(r"<[^>]+>", "", title))
    anchor = re.sub(r"[^\w -]", "", plain.lower()).replace(" ", "-")
    seen[anchor] = seen.get(anchor, -1) + 1
    return f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor


def coloured(code, language):
    rules = CODE.get(language)
    if not rules:
        return code
    pattern = "|".join(f"(?P<k{i}>{rule})" for i, (_, rule) in enumerate(rules))
    kinds = [kind for kind, _ in rules]
    return re.sub(pattern, lambda m: f'<span class="{kinds[int(m.lastgroup[1:])]}">{m.group()}</span>', code, flags=re.S)


def code_block(match):
    language, meta, code = match.group(1) or "text", match.group(2) or "", match.group(3)
    caption = f"<figcaption>{meta}</figcaption>" if "." in meta else ""
    return f'<figure class="code {language}">{caption}<pre tabindex="0"><code>{coloured(code, language)}</code></pre></figure>'


def convert(markdown):
    """(HTML of the body, [(level, anchor, title)])."""
    body = subprocess.run(COMMAND, input=markdown, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    headings, seen = [], {}

    def heading(match):
        level, title = int(match.group(1)), match.group(2)
        anchor = slug(title, seen)
        headings.append((level, anchor, title))
        link = "" if level == 1 else f'<a class="anchor" href="#{anchor}" aria-label="link to this section">#</a>'
        return f'<h{level} id="{anchor}">{title}{link}</h{level}>'

    # code first, so that nothing in it is taken for a heading or a link
    blocks = []

    def keep(match):
        blocks.append(code_block(match))
        return f"\0{len(blocks) - 1}\0"

    body = re.sub(r'<pre><code(?: class="language-([\w-]+)")?(?: data-meta="([^"]*)")?>(.*?)</code></pre>', keep, body, flags=re.S)
    body = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.S)
    body = re.sub(r"(<table>.*?</table>)", r'<div class="wide" tabindex="0">\1</div>', body, flags=re.S)
    body = re.sub(r"<thead>(?=\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>)", '<thead class="bare">', body)  # a header that says nothing
    return re.sub("\0(\\d+)\0", lambda m: blocks[int(m.group(1))], body), headings


def relinked(body, target):
    """Every relative href and src replaced by target(what it says)."""
    def one(match):
        attribute, there = match.group(1), html.unescape(match.group(2))
        if re.match(r"[a-z]+:", there) or there.startswith("#"):
            return match.group()
        return f'{attribute}="{html.escape(target(there))}"'

    return re.sub(r'\b(href|src)="([^"]+)"', one, body)
