"use strict";
(() => {
  const root = document.documentElement;
  const stored = (() => { try { return localStorage.getItem("xlgo-theme"); } catch { return null; } })();
  if (stored === "dark" || stored === "light") root.dataset.theme = stored;

  document.addEventListener("DOMContentLoaded", () => {
    theme();
    document.querySelectorAll("table.sortable").forEach(sortable);
    folds();
  });

  function theme() {
    const button = document.getElementById("theme");
    const dark = () => root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("xlgo-theme", root.dataset.theme); } catch { /* a file: page may have no storage */ }
      label();
    });
  }

  /* A link into a folded part opens it, and so does printing, for as long as it takes. */
  function folds() {
    const reveal = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
      target.scrollIntoView();
    };
    addEventListener("hashchange", reveal);
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href^='#']");
      if (link && link.hash === location.hash) reveal();
    });
    reveal();
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open], .example, .example details)")];  // answers would take most pages
      opened.forEach((part) => { part.open = true; });
    });
    addEventListener("afterprint", () => opened.forEach((part) => { part.open = false; }));
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const key = (row, column) => {
      const cell = row.cells[column];
      const text = cell.dataset.sort ?? cell.textContent.trim();
      const number = Number(text);
      return text === "" || text === "–" ? null : Number.isNaN(number) ? text : number;
    };
    heads.forEach((head, column) => {
      if (head.dataset.fixed !== undefined || !head.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [key(row, column), row]);
        rows.sort(([a], [b]) => {
          if (a === null || b === null) return (a === null) - (b === null);
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return down ? -order : order;
        });
        body.append(...rows.map(([, row]) => row));
      });
    });
  }
})();
