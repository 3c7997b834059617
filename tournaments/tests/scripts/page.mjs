// A page without a browser: elements that hold text, attributes and listeners, found as a person finds them.

const SIMPLE = /^([a-z0-9]*)((?:\.[\w-]+|\[[\w-]+(?:="[^"]*")?\])*)$/;

class Node_ extends EventTarget {
  constructor(document, tag) {
    super();
    Object.assign(this, { ownerDocument: document, tagName: tag.toUpperCase(), localName: tag, parent: null, children: [], attributes: new Map(), dataset: {} });
    Object.assign(this, { className: "", hidden: false, disabled: false, value: "", type: "", id: "", title: "" });
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    if (name.startsWith("data-")) return this.dataset[name.slice(5).replace(/-(\w)/g, (_, letter) => letter.toUpperCase())] ?? null;
    if (name === "class") return this.className;
    if (name === "open") return this.isOpen ? "" : null;
    return this.attributes.get(name) ?? (typeof this[name] === "string" && this[name] ? this[name] : null);
  }

  append(...children) {
    for (const child of children) {
      const node = child instanceof Node_ ? child : String(child);
      if (node instanceof Node_) {
        node.remove();
        node.parent = this;
        if (node.selected) this.value = node.value;
        if (this.localName === "select" && this.children.length === 0) this.value = node.value;
      }
      this.children.push(node);
    }
  }

  prepend(...children) {
    const rest = this.children;
    this.children = [];
    this.append(...children);
    this.children.push(...rest);
  }

  replaceChildren(...children) {
    for (const child of this.children) if (child instanceof Node_) child.parent = null;
    this.children = [];
    this.append(...children);
  }

  remove() {
    if (!this.parent) return;
    this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = null;
  }

  get textContent() {
    return this.children.map((child) => (child instanceof Node_ ? child.textContent : child)).join("");
  }

  set textContent(text) {
    this.replaceChildren(text);
  }

  get isConnected() {
    return this === this.ownerDocument.documentElement || Boolean(this.parent?.isConnected);
  }

  contains(other) {
    for (let node = other; node; node = node.parent) if (node === this) return true;
    return false;
  }

  *all() {
    for (const child of this.children) {
      if (!(child instanceof Node_)) continue;
      yield child;
      yield* child.all();
    }
  }

  matches(selector) {
    return selector.split(",").some((one) => this.is(one.trim()));
  }

  is(selector) {
    const [, tag, rest] = selector.match(SIMPLE) ?? [];
    if (rest === undefined) throw new Error(`this page does not know ${selector}`);
    if (tag && tag !== this.localName) return false;
    return (rest.match(/\.[\w-]+|\[[^\]]+\]/g) ?? []).every((part) => {
      if (part.startsWith(".")) return this.className.split(" ").includes(part.slice(1));
      const [, name, value] = part.match(/\[([\w-]+)(?:="(.*)")?\]/);
      const found = this.getAttribute(name);
      return value === undefined ? found !== null : found === value;
    });
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  querySelectorAll(selector) {
    return [...this.all()].filter((one) => one.matches(selector));
  }

  closest(selector) {
    for (let node = this; node; node = node.parent) if (node.matches(selector)) return node;
    return null;
  }

  focus() {
    this.ownerDocument.activeElement = this;
  }

  select() {}

  showModal() {
    this.isOpen = true;
  }

  close() {
    this.isOpen = false;
  }

  // As a finger does: what is disabled feels nothing.
  click() {
    if (this.disabled) return;
    const event = Object.assign(new Event("click", { cancelable: true }));
    this.dispatchEvent(event);
  }

  type_(text) {
    this.value = text;
    this.dispatchEvent(new Event("input"));
    this.dispatchEvent(new Event("change"));
  }
}

// Lays a page into a window's document, with the elements that the tablet's page has from the server.
export function furnish(document) {
  const make = (tag) => new Node_(document, tag);
  const language = document.documentElement.lang;
  document.documentElement = make("html");
  document.documentElement.lang = language;
  document.body = make("body");
  const main = make("main");
  main.className = "tablet";
  document.documentElement.append(document.body);
  document.body.append(main);
  Object.assign(document, {
    activeElement: document.body,
    createElement: make,
    createElementNS: (_, tag) => make(tag),
    querySelector: (selector) => document.documentElement.querySelector(selector),
    querySelectorAll: (selector) => document.documentElement.querySelectorAll(selector),
  });
  return main;
}
