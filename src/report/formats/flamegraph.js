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
  const NARROW_PIXELS = 28; // too narrow for a readable label
  const HINT = "Zoom: click a frame, or Tab, arrow keys, Enter. Back: Escape. Search: / or Ctrl-F.";
  const SHORT_HINT = "Zoom: tap a frame. Back: Reset zoom."; // as phones have no keys
  const NARROW_WINDOW = 600; // pixels
  const MARGIN = 8; // pixels beside a name
  const LETTERS = "abcdefghijklmnopqrstuvwxyz_:ABCDEFSTR019"; // of names, about as often

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
    return {
      element,
      text: element.querySelector("text") ?? create(SVG, "text", { x: 4, y: 12 }, element),
      title,
      name,
      start,
      end: start + position(element, "width"),
      total: BigInt(element.dataset.total),
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
    return outer.y <= inner.y && outer.start <= inner.start && inner.end <= outer.end;
  }

  // The end of a name tells more than its beginning, so that keeps two thirds, as where it is cut in C.
  function cutMiddle(name, length) {
    const letters = name.length <= length ? name : Array.from(name);
    if (letters.length <= length) {
      return name;
    }
    const tail = Math.floor((length * 2) / 3);
    return letters.slice(0, length - 1 - tail).join("") + "\u2026" + letters.slice(-tail).join("");
  }

  /** As many letters as fit on average, fewer where these are wide. */
  function fitName(name, room) {
    let length = Math.max(2, Math.floor(room / letterWidth));
    for (;;) {
      const text = cutMiddle(name, length);
      const excess = measure(text) - room;
      if (excess <= 0 || length <= 2) {
        return text;
      }
      length = Math.max(2, Math.min(length, text.length) - Math.ceil(excess / letterWidth));
    }
  }

  function showName(frame, pixels) {
    const text = fitName(frame.name, pixels - MARGIN);
    if (frame.text.textContent !== text) {
      frame.text.textContent = text;
    }
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
    const shownPixels = (frame.shownWidth / 100) * pixels;
    const isNarrow = shownPixels < NARROW_PIXELS;
    classes.toggle("narrow", isNarrow);
    if (!isNarrow) {
      showName(frame, shownPixels);
    }
    if (frame.shownWidth > 0) {
      frame.element.setAttribute("x", frame.shownStart + "%");
      frame.element.setAttribute("width", frame.shownWidth + "%");
    }
  }

  function layout() {
    const pixels = root.getBoundingClientRect().width * 0.98;
    frames.forEach((frame) => place(frame, pixels));
    resetButton.disabled = zoomed === base;
    showMatches();
  }

  function zoom(frame) {
    zoomed = frame;
    layout();
  }

  // --- search ---

  // What the regular expression finds, and the text as it stands: names have parentheses and stars.
  function matcher(text) {
    const lower = text.toLowerCase();
    const isPart = (name) => name.toLowerCase().includes(lower);
    try {
      const expression = new RegExp(text, "i");
      return (name) => isPart(name) || expression.test(name);
    } catch (error) { // no regular expression, or not yet
      return isPart;
    }
  }

  function search() {
    const text = searchInput.value;
    const isMatch = text === "" ? null : matcher(text);
    for (const frame of frames) {
      frame.matches = isMatch !== null && frame !== base && isMatch(frame.name);
      frame.element.classList.toggle("match", frame.matches);
    }
    showMatches();
  }

  // Rounded as in the titles. Values may be more than a Number holds exactly.
  function percentage(part, whole) {
    const tenths = whole === 0n ? 0n : (2000n * part + whole) / (2n * whole);
    return `${tenths / 10n}.${tenths % 10n} %`;
  }

  // What is in matching frames, nested ones counted once; all, where they are around the view.
  function matchedTotal() {
    const matches = frames.filter((frame) => frame.matches && frame.shownWidth > 0);
    if (matches.some((frame) => contains(frame, zoomed))) {
      return zoomed.total;
    }
    matches.sort((a, b) => a.start - b.start || a.y - b.y);
    let total = 0n;
    let end = 0;
    for (const frame of matches) {
      if (frame.start >= end) {
        total += frame.total;
        end = frame.end;
      }
    }
    return total;
  }

  // Frames that are too narrow to be in the picture may match, too.
  function showMatches() {
    const bound = graph.dataset.undrawn === "0" ? "" : "at least ";
    matched.textContent = searchInput.value === ""
      ? "" : "matched " + bound + percentage(matchedTotal(), zoomed.total);
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

  function createStatus() {
    const group = create(SVG, "g", { id: "status" }, root);
    create(SVG, "rect", { width: "100%", height: 24 }, group);
    return create(SVG, "text", { x: "1%", y: 16 }, group);
  }

  const statusText = createStatus();
  statusText.textContent = LETTERS;
  const letterWidth = statusText.getComputedTextLength() / LETTERS.length;
  const pen = document.createElementNS(XHTML, "canvas").getContext("2d");
  pen.font = "12px " + getComputedStyle(statusText).fontFamily;
  const measure = (text) => pen.measureText(text).width;

  // The status line stays in sight where the graph is taller than the window.
  function placeStatus() {
    const box = root.getBoundingClientRect();
    const bottom = Math.min(box.height, Math.max(24, window.innerHeight - box.top));
    statusText.parentNode.setAttribute("transform", "translate(0 " + (bottom - 24) + ")");
  }

  // The figures stand behind the name and must not leave the window.
  function shorten({ name, title }) {
    const figures = title.length - name.length;
    const room = root.getBoundingClientRect().width * 0.98 -
      statusText.getSubStringLength(name.length, figures);
    let length = name.length;
    while (length > 8 && statusText.getSubStringLength(0, length) > room) {
      length = Math.floor(length * 0.95);
    }
    if (length < name.length) {
      statusText.textContent = cutMiddle(name, length - 1) + title.slice(name.length);
    }
  }

  function showStatus(frame) {
    const isNarrow = root.getBoundingClientRect().width < NARROW_WINDOW;
    statusText.textContent = frame === undefined ? (isNarrow ? SHORT_HINT : HINT) : frame.title;
    if (frame !== undefined) {
      shorten(frame);
    }
  }

  // --- narrow windows ---

  const LINE = 17;
  const header = document.getElementById("header");
  const lines = Array.from(header.children, (line) => ({ line, words: line.textContent.split(" ") }));
  const frameTop = Number(base.element.getAttribute("y"));
  const wholeHeight = Number(root.getAttribute("height"));

  /** Breaks a line where it would leave the window; returns how many lines it became. */
  function wrap({ line, words }, room, y) {
    let count = 1;
    line.textContent = words.join(" ");
    line.setAttribute("y", y);
    if (line.getComputedTextLength() <= room) {
      return count;
    }
    line.textContent = "";
    let part = create(SVG, "tspan", {}, line);
    for (const word of words) {
      const text = part.textContent;
      part.textContent = text === "" ? word : text + " " + word;
      if (text !== "" && part.getComputedTextLength() > room) {
        part.textContent = text;
        part = create(SVG, "tspan", { x: "1%", dy: LINE }, line);
        part.textContent = word;
        count++;
      }
    }
    return count;
  }

  /** The toolbar goes below the title where there is no room beside it, and all else further down. */
  function placeHeader() {
    const width = root.getBoundingClientRect().width;
    const isNarrow = width < NARROW_WINDOW;
    holder.setAttribute("x", isNarrow ? "1%" : "40%");
    holder.setAttribute("width", isNarrow ? "98%" : "59%");
    holder.setAttribute("y", isNarrow ? 34 : 8);
    let y = isNarrow ? 44 + 36 : 44;
    for (const line of lines.slice(1)) {
      y += wrap(line, width * 0.98, y) * LINE;
    }
    const shift = y - frameTop;
    graph.setAttribute("y", shift);
    root.setAttribute("height", wholeHeight + shift);
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
    return frames.find((other) => other.y === frame.y - step && contains(other, frame));
  }

  function widestChildOf(frame) {
    return frames
      .filter((other) => other.y === frame.y + step && contains(frame, other))
      .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
  }

  const frameKeys = {
    ArrowDown: (frame) => focus(widestChildOf(frame)),
    ArrowUp: (frame) => focus(parentOf(frame)),
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
  // Not at the graph: an SVG element that listens for this would be one more stop for Tab.
  document.addEventListener("focusin", (event) => showStatus(frameAt(event)));
  document.addEventListener("keydown", onKey);
  searchInput.addEventListener("input", search);
  resetButton.addEventListener("click", () => zoom(base));
  window.addEventListener("resize", () => { placeHeader(); layout(); placeStatus(); });
  window.addEventListener("scroll", placeStatus);
  root.setAttribute("width", "100%");
  base.element.setAttribute("tabindex", 0);
  placeHeader();
  layout();
  placeStatus();
  showStatus();
})();
