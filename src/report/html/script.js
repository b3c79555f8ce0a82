"use strict";
// Sorts a table by the column whose heading is pressed; again the other way round.
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const key = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent : Number(value);
  };
  const compare = (a, b) => {
    const numbers = [a, b].map((x) => typeof x === "number");
    if (numbers[0] && numbers[1]) return a - b;
    if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1;
    return a.localeCompare(b);
  };
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const sign = up ? 1 : -1;
      const rows = [...body.rows];
      rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));
      body.append(...rows);
    });
  });
}
