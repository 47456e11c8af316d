/*
 * What the flame graph gains where scripts run: zoom, search, keys and a status line.
 *
 * The picture itself is the data: each frame is an <svg> whose x and width are percentages
 * of the graph, whose y is its level and whose <title> begins with its name. Only attributes
 * change; there is no style attribute and no inline handler, so strict content policies hold.
 */
(function () {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const XHTML = "http://www.w3.org/1999/xhtml";
  const NARROW_PIXELS = 24; // too narrow for a readable label
  const HINT = "Zoom: click a frame, or Tab, arrow keys, Enter. Back: Escape. Search: / or Ctrl-F.";
  const LABEL_LENGTH = 200; // characters that fit a wide screen

  const root = document.getElementById("flamegraph");
  const graph = document.getElementById("frames");

  function create(namespace, name, attributes, parent) {
    const element = document.createElementNS(namespace, name);
    for (const key of Object.keys(attributes)) {
      element.setAttribute(key, attributes[key]);
    }
    return parent.appendChild(element);
  }

  // Positions as integers (the file gives percentages with five decimals): edges compare exactly.
  function position(element, attribute) {
    return Math.round(parseFloat(element.getAttribute(attribute)) * 1e5);
  }

  function readFrame(element) {
    const title = element.firstElementChild.textContent;
    const name = title.slice(0, title.lastIndexOf(" \u2014 "));
    const start = position(element, "x");
    if (element.querySelector("text") === null) {
      create(SVG, "text", { x: 4, y: 12 }, element).textContent = name.slice(0, LABEL_LENGTH);
    }
    return {
      element,
      title,
      name,
      start,
      end: start + position(element, "width"),
      y: Number(element.getAttribute("y")),
      matches: false,
      shownStart: 0,
      shownWidth: 0, // 0: not in view
    };
  }

  const frames = Array.from(graph.children, readFrame);
  const frameOf = new Map(frames.map((frame) => [frame.element, frame]));
  const base = frames[0];
  const step = Number(base.element.getAttribute("height")) + 1;
  let zoomed = base;

  function contains(outer, inner) {
    return outer.y >= inner.y && outer.start <= inner.start && inner.end <= outer.end;
  }

  function place(frame, pixels) {
    const scale = 100 / (zoomed.end - zoomed.start);
    const isOutside = frame !== zoomed && contains(frame, zoomed);
    const isInside = contains(zoomed, frame);
    const classes = frame.element.classList;
    classes.toggle("outside", isOutside);
    classes.toggle("hidden", !isOutside && !isInside);
    frame.shownStart = isInside ? (frame.start - zoomed.start) * scale : 0;
    frame.shownWidth = isInside ? (frame.end - frame.start) * scale : isOutside ? 100 : 0;
    classes.toggle("narrow", (frame.shownWidth / 100) * pixels < NARROW_PIXELS);
    if (frame.shownWidth > 0) {
      frame.element.setAttribute("x", frame.shownStart + "%");
      frame.element.setAttribute("width", frame.shownWidth + "%");
    }
  }

  function layout() {
    const pixels = root.getBoundingClientRect().width;
    frames.forEach((frame) => place(frame, pixels));
    resetButton.disabled = zoomed === base;
    showMatches();
  }

  function zoom(frame) {
    zoomed = frame;
    layout();
  }

  // --- search ---

  function pattern(text) {
    try {
      return new RegExp(text, "i");
    } catch (error) { // not a regular expression: look for the text itself
      return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
    }
  }

  function search() {
    const text = searchInput.value;
    const expression = text === "" ? null : pattern(text);
    for (const frame of frames) {
      frame.matches = expression !== null && frame !== base && expression.test(frame.name);
      frame.element.classList.toggle("match", frame.matches);
    }
    showMatches();
  }

  // The share of the view that lies in matching frames, nested ones counted once.
  function showMatches() {
    const matches = frames.filter((frame) => frame.matches && contains(zoomed, frame));
    matches.sort((a, b) => a.start - b.start || b.end - a.end);
    let covered = 0;
    let end = 0;
    for (const frame of matches) {
      if (frame.end > end) {
        covered += frame.end - Math.max(frame.start, end);
        end = frame.end;
      }
    }
    const share = ((covered / (zoomed.end - zoomed.start)) * 100).toFixed(1);
    matched.textContent = searchInput.value === "" ? "" : "matched " + share + " %";
  }

  // --- toolbar and status line ---

  const holder = create(SVG, "foreignObject",
    { id: "toolbar", x: "40%", y: 8, width: "59%", height: 30 }, root);
  const toolbar = create(XHTML, "div", {}, holder);
  const matched = create(XHTML, "output", {}, toolbar);
  const searchInput = create(XHTML, "input",
    { type: "search", placeholder: "Search (regex)", "aria-label": "Search functions" }, toolbar);
  const resetButton = create(XHTML, "button", { type: "button" }, toolbar);
  resetButton.textContent = "Reset zoom";

  const status = create(SVG, "g", { id: "status" }, root);
  create(SVG, "rect", { width: "100%", height: 24 }, status);
  const statusText = create(SVG, "text", { x: "1%", y: 16 }, status);

  // The status line stays in sight where the graph is taller than the window.
  function placeStatus() {
    const box = root.getBoundingClientRect();
    const bottom = Math.min(box.height, Math.max(24, window.innerHeight - box.top));
    status.setAttribute("transform", "translate(0 " + (bottom - 24) + ")");
  }

  function showStatus(frame) {
    statusText.textContent = frame === undefined ? HINT : frame.title;
  }

  // --- events ---

  function frameAt(event) {
    return event.target instanceof Element
      ? frameOf.get(event.target.closest("#frames > svg"))
      : undefined;
  }

  // One frame at a time takes part in tab order; arrow keys move on from it.
  function focus(frame) {
    if (frame !== undefined) {
      frames.forEach((other) => other.element.setAttribute("tabindex", -1));
      frame.element.setAttribute("tabindex", 0);
      frame.element.focus();
    }
  }

  function neighbours(frame) {
    const row = frames.filter((other) => other.y === frame.y && other.shownWidth > 0);
    row.sort((a, b) => a.start - b.start);
    const index = row.indexOf(frame);
    return { previous: row[index - 1], next: row[index + 1] };
  }

  function parentOf(frame) {
    return frames.find((other) => other.y === frame.y + step && contains(other, frame));
  }

  function widestChildOf(frame) {
    return frames
      .filter((other) => other.y === frame.y - step && contains(frame, other))
      .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
  }

  const frameKeys = {
    ArrowUp: (frame) => focus(widestChildOf(frame)),
    ArrowDown: (frame) => focus(parentOf(frame)),
    ArrowLeft: (frame) => focus(neighbours(frame).previous),
    ArrowRight: (frame) => focus(neighbours(frame).next),
    Enter: zoom,
    " ": zoom,
  };

  function onKey(event) {
    const isSearching = event.target === searchInput;
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    const frame = frameAt(event);
    if (!isSearching && (isFind || event.key === "/")) { // pressed again: the browser's own search
      searchInput.focus();
      searchInput.select();
    } else if (event.key === "Escape" && isSearching) {
      searchInput.value = "";
      search();
      focus(zoomed);
    } else if (event.key === "Escape") {
      zoom(base);
    } else if (frame !== undefined && frameKeys[event.key] !== undefined) {
      frameKeys[event.key](frame);
    } else {
      return;
    }
    event.preventDefault();
  }

  graph.addEventListener("click", (event) => {
    const frame = frameAt(event);
    if (frame !== undefined) {
      zoom(frame);
      focus(frame);
    }
  });
  graph.addEventListener("mouseover", (event) => showStatus(frameAt(event)));
  graph.addEventListener("mouseout", () => showStatus(frameOf.get(document.activeElement)));
  graph.addEventListener("focusin", (event) => showStatus(frameAt(event)));
  document.addEventListener("keydown", onKey);
  searchInput.addEventListener("input", search);
  resetButton.addEventListener("click", () => zoom(base));
  window.addEventListener("resize", () => { layout(); placeStatus(); });
  window.addEventListener("scroll", placeStatus);

  root.setAttribute("width", "100%");
  base.element.setAttribute("tabindex", 0);
  layout();
  placeStatus();
  showStatus();
})();
