// Renders the French deck of the npm package @letele/playing-cards 0.1.0 (CC0) to plain SVG files.
//
//   npm pack @letele/playing-cards@0.1.0 && tar xzf letele-playing-cards-0.1.0.tgz
//   node tools/render_french_deck.mjs package/dist/index.esm.js static/cards/french
//
// The package holds React components; a stand-in for React.createElement writes them as text. Ids are shortened,
// classes and fixed sizes dropped. The jokers and the second back are left out: no game of ours uses them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [source, folder] = process.argv.slice(2);
const SUITS = { H: "hearts", D: "diamonds", C: "clubs", S: "spades" };
const SVG_CAMEL_CASE = new Set(["viewBox", "preserveAspectRatio", "patternUnits", "patternTransform"]);
const DROPPED = new Set(["className", "xmlnsXlink", "aria-labelledby"]);

const attribute = (name) => (SVG_CAMEL_CASE.has(name) ? name : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`));
const escaped = (value) => String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const React = {
  createElement(tag, properties, ...children) {
    if (tag === "text") return ""; // the address on the ace of spades needs a font
    const attributes = Object.entries(properties ?? {})
      .filter(([name, value]) => value != null && !DROPPED.has(name))
      .map(([name, value]) => ` ${name === "xlinkHref" ? "href" : attribute(name)}="${escaped(value)}"`)
      .join("");
    const body = children.flat(Infinity).filter((child) => child != null && child !== false).join("");
    return body ? `<${tag}${attributes}>${body}</${tag}>` : `<${tag}${attributes}/>`;
  },
};

const script = readFileSync(source, "utf8")
  .replace(/^import .*$/gm, "")
  .replace(/export \{([\s\S]*?)\};?\s*$/m, (_, names) => {
    const pairs = names.split(",").map((entry) => entry.trim().split(/\s+as\s+/)).filter(([name]) => name);
    return `return {${pairs.map(([local, name]) => `${JSON.stringify(name ?? local)}: ${local}`).join(", ")}};`;
  });
const components = new Function("React", "_extends", script)(React, Object.assign);

mkdirSync(folder, { recursive: true });
for (const [name, component] of Object.entries(components)) {
  const target = name === "B1" ? "back" : SUITS[name[0]] && `${SUITS[name[0]]}-${name.slice(1).toLowerCase()}`;
  if (!target) continue;
  const text = component({})
    .replace(/[A-Z]+-\w+_svg__/g, "")
    .replace('<path d="m3 0 3 3-3 3-3-3Z"', '<path fill="#24549f" d="m3 0 3 3-3 3-3-3Z"') // the back in the blue of our swords
    .replace(' preserveAspectRatio="none" viewBox="-120', ' viewBox="-120');
  writeFileSync(`${folder}/${target}.svg`, `${text}\n`);
}
