/*
 * What the table of the HTML report gains where scripts run: sorting, filtering by what is searched
 * in the flame graph, and the choice of a function, whose callers and callees are shown and which
 * the graph marks.
 *
 * The numbers to sort by are the rows' data attributes; where a column has none, what its cells say.
 */
(function () {
  "use strict";

  const graph = document.getElementById("flamegraph");
  const table = document.getElementById("functions");
  if (table === null) { // nothing was called
    return;
  }
  const headings = Array.from(table.tHead.rows[0].cells);
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const calls = JSON.parse(document.getElementById("calls").textContent); // see html_calls.h
  const callsOf = new Map(rows.map((row, index) => [row, calls[index]]));
  const rowAtFirst = Array.from(rows); // by the numbers that `calls` has
  const nameOf = (row) => row.cells[0].textContent;
  const rowOf = new Map(rows.map((row) => [nameOf(row), row]));
  let selected = null;

  // --- sorting ---

  function sortValue(row, column, key) {
    if (key === "name") {
      return nameOf(row);
    }
    const value = row.dataset[key];
    if (value !== undefined) {
      return BigInt(value); // may be more than a Number holds exactly
    }
    const number = parseFloat(row.cells[column].textContent.replace(/,/g, ""));
    return isNaN(number) ? -1 : number;
  }

  function sort(column, ascends) {
    const { key } = headings[column].dataset;
    const values = new Map(rows.map((row) => [row, sortValue(row, column, key)]));
    const order = ascends ? 1 : -1;
    rows.sort((a, b) => {
      const left = values.get(a);
      const right = values.get(b);
      return left < right ? -order : left > right ? order : 0;
    });
    body.append(...rows);
    placeDetail();
    headings.forEach((heading) => heading.removeAttribute("aria-sort"));
    headings[column].setAttribute("aria-sort", ascends ? "ascending" : "descending");
  }

  // Numbers begin with the largest, names with the first; the same heading again turns them round.
  function onHeading(column) {
    const heading = headings[column];
    const first = heading.dataset.key === "name" ? "ascending" : "descending";
    const isTurned = heading.getAttribute("aria-sort") === first;
    sort(column, (first === "ascending") !== isTurned);
  }

  function makeHeading(heading, column) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => onHeading(column));
  }

  // --- filtering ---

  const count = document.createElement("p");
  count.id = "count";
  count.setAttribute("role", "status");

  function filter(isMatch) {
    let matches = 0;
    for (const row of rows) {
      row.hidden = isMatch !== null && !isMatch(nameOf(row));
      matches += row.hidden ? 0 : 1;
    }
    count.textContent = isMatch === null ? "" : `${matches} of ${rows.length} functions match`;
    enterableRow();
    placeDetail();
  }

  // --- callers and callees ---

  function create(name, text, parent) {
    const element = document.createElement(name);
    element.textContent = text;
    return parent.appendChild(element);
  }

  const detail = document.createElement("tr");
  detail.id = "detail";
  const detailCell = create("td", "", detail);
  detailCell.colSpan = headings.length;

  function addCall([index, count, share], list) {
    const line = create("tr", "", list);
    create("td", share + " %", line);
    create("td", count, line);
    const cell = create("td", "", line);
    if (index < 0) {
      cell.textContent = "the host";
      return;
    }
    const button = create("button", nameOf(rowAtFirst[index]), cell);
    button.type = "button";
    button.addEventListener("click", () => {
      select(nameOf(rowAtFirst[index]));
      focus(rowAtFirst[index]);
    });
  }

  function addCalls(title, { rows: listed, more }) {
    const list = create("table", "", detailCell);
    create("caption", title, list);
    if (listed.length > 0) {
      const heading = create("tr", "", create("thead", "", list));
      ["total", "calls", "function"].forEach((text) => { create("th", text, heading).scope = "col"; });
    }
    listed.forEach((call) => addCall(call, list));
    if (more > 0 || listed.length === 0) {
      const text = more === 0 ? "none" : listed.length === 0 ? `${more}, small ones` : `${more} more`;
      create("td", text, create("tr", "", list)).colSpan = 3;
    }
  }

  // Below the row that it belongs to, wherever that is now.
  function placeDetail() {
    detail.remove();
    if (selected !== null && !selected.hidden) {
      selected.after(detail);
    }
  }

  function showDetail() {
    detailCell.replaceChildren();
    if (selected !== null) {
      addCalls("called by", callsOf.get(selected).callers);
      addCalls("calls", callsOf.get(selected).callees);
    }
    placeDetail();
  }

  // --- choosing a function ---

  function select(name) {
    if (selected !== null) {
      selected.removeAttribute("aria-current");
    }
    selected = rowOf.get(name) ?? null;
    if (selected !== null) {
      selected.setAttribute("aria-current", "true");
    }
    showDetail();
    graph.dispatchEvent(new CustomEvent("wasm-perf-select", { detail: name }));
  }

  function toggle(row) {
    select(row === selected ? null : nameOf(row));
  }

  // One row at a time takes part in tab order; arrow keys move on from it.
  function enterableRow() {
    const visible = rows.filter((row) => !row.hidden);
    const enterable = visible.find((row) => row.tabIndex === 0);
    if (enterable === undefined && visible.length > 0) {
      rows.forEach((row) => { row.tabIndex = -1; });
      visible[0].tabIndex = 0;
    }
  }

  function focus(row) {
    if (row !== undefined) {
      rows.forEach((other) => { other.tabIndex = -1; });
      row.tabIndex = 0;
      row.focus();
    }
  }

  function neighbour(row, step) {
    const visible = rows.filter((other) => !other.hidden);
    return visible[visible.indexOf(row) + step];
  }

  const rowKeys = {
    ArrowUp: (row) => focus(neighbour(row, -1)),
    ArrowDown: (row) => focus(neighbour(row, 1)),
    Enter: toggle,
    " ": toggle,
  };

  function rowAt(event) {
    return rows.find((row) => row.contains(event.target));
  }

  body.addEventListener("click", (event) => {
    const row = rowAt(event);
    if (row !== undefined && document.getSelection().isCollapsed) { // else the user copies text
      toggle(row);
      focus(row);
    }
  });
  body.addEventListener("keydown", (event) => {
    const row = rowAt(event);
    const action = rowKeys[event.key];
    if (row !== undefined && action !== undefined) {
      action(row);
      event.preventDefault();
    }
  });
  graph.addEventListener("wasm-perf-search", ({ detail }) => filter(detail));
  graph.addEventListener("wasm-perf-zoom", ({ detail }) => select(detail));

  // Behind shares, bars of their length.
  function drawBars(heading, column) {
    if (heading.textContent.endsWith("%")) {
      for (const row of rows) {
        const cell = row.cells[column];
        cell.className = "share";
        cell.style.setProperty("--share", cell.textContent + "%");
      }
    }
  }

  headings.forEach(drawBars);
  headings.forEach(makeHeading);
  headings[1].setAttribute("aria-sort", "descending");
  table.parentElement.before(count);
  document.body.classList.add("scripted");
  enterableRow();
})();
