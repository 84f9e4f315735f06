(() => {
  const PER_PAGE = 30, KEPT = 12;
  const waiting = new Map(), chunks = new Map();
  const FIELDS = ["task", "language", "status", "base", "text"];
  let index, rows, base, groups, shown = [], first = 0, only = -1, search = 0;

  // Every script of data calls this with its name and its packed content.
  globalThis.xlgoData = (name, text) => { waiting.get(name)?.resolve(text); };

  function load(name) {
    return new Promise((resolve, reject) => {
      waiting.set(name, { resolve });
      const script = document.createElement("script");
      script.src = `samples/${name}.js`;
      script.onload = () => script.remove();
      script.onerror = () => reject(new Error(`samples/${name}.js cannot be read: keep the folder samples next to this page`));
      document.head.append(script);
    }).then(unpack).finally(() => waiting.delete(name));
  }

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  function chunk(number) {
    const name = String(number).padStart(5, "0");
    if (!chunks.has(name)) {
      chunks.set(name, load(name));
      chunks.get(name).catch(() => chunks.delete(name));
      if (chunks.size > KEPT) chunks.delete(chunks.keys().next().value);
    }
    return chunks.get(name);
  }

  const texts = async (row) => (await chunk(rows.chunk[row]))[rows.place[row]];

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== undefined));  // texts become text nodes
    return element;
  };
  const count = (number) => number.toLocaleString("en");
  const byId = (id) => document.getElementById(id);
  const isRight = (row) => index.statuses[rows.status[row]][0] === "correct";
  const dot = (row) => make("i", { class: `st st-${index.statuses[rows.status[row]][0]}` });
  const words = (row) => index.statuses[rows.status[row]][1];
  const baseName = () => index.languages[index.base]?.name;

  const BESIDE = {
    lost: ["correct in %, not here", (row, twin) => isRight(twin) && !isRight(row)],
    won: ["correct here, not in %", (row, twin) => isRight(row) && !isRight(twin)],
    both: ["correct in both", (row, twin) => isRight(row) && isRight(twin)],
    neither: ["correct in neither", (row, twin) => !isRight(row) && !isRight(twin)],
  };

  document.addEventListener("DOMContentLoaded", async () => {
    if (!byId("filters")) return;
    try {
      if (!globalThis.DecompressionStream) throw new Error("this browser is too old to unpack the answers");
      index = await load("index");
    } catch (error) {
      byId("found").textContent = `No answers can be shown: ${error.message}.`;
      return;
    }
    rows = index.rows;
    const total = rows.task.length;
    base = new Int32Array(total).fill(-1);
    groups = new Map();
    for (let row = 0; row < total; row += 1) {
      const group = groups.get(rows.question[row]);
      if (group) group.push(row); else groups.set(rows.question[row], [row]);
    }
    for (const group of groups.values()) {
      const twin = group.find((row) => rows.language[row] === index.base && !index.conditions[rows.condition[row]]);
      if (twin !== undefined) for (const row of group) if (row !== twin) base[row] = twin;
    }
    const form = byId("filters");
    options(form.task, index.tasks.map((task, i) => [task.name, task.title || task.name, i]), "All tasks");
    options(form.language, index.languages.map((one, i) => [one.code, one.name, i]), "All languages");
    options(form.status, [...index.statuses.map(([name, text], i) => [name, text, i]), ["-", "not correct"]], "All outcomes");
    options(form.base, Object.entries(BESIDE).map(([name, [text]]) => [name, text.replace("%", baseName())]), "Any");
    form.base.parentElement.hidden = !base.some((twin) => twin >= 0);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => filter(0)));
    form.addEventListener("change", () => filter(0));
    let typing;
    form.text.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => filter(0), 300); });
    byId("back").addEventListener("click", () => turn(first - PER_PAGE));
    byId("on").addEventListener("click", () => turn(first + PER_PAGE));
    addEventListener("hashchange", restore);
    restore();
  });

  function options(select, items, all) {
    const before = select.value;
    select.replaceChildren(make("option", { value: "" }, all), ...items.map(([value, text]) => make("option", { value }, text)));
    select.value = items.some(([value]) => value === before) ? before : "";
  }

  function restore() {
    const form = byId("filters"), given = new URLSearchParams(location.hash.slice(1));
    for (const name of FIELDS) {
      form[name].value = given.get(name) ?? "";
      if (form[name].selectedIndex < 0) form[name].value = "";
    }
    if (given.has("answer")) return single(given.get("answer"));
    filter(PER_PAGE * Math.max(0, (Number(given.get("page")) || 1) - 1));
  }

  // The name of an answer in links: its question, language and condition.
  const named = (row) => [index.questions[rows.question[row]], index.languages[rows.language[row]].code,
    index.conditions[rows.condition[row]]].filter(Boolean).join("~");

  function single(name) {
    search += 1;
    only = rows.task.findIndex((_, row) => named(row) === name);
    shown = only < 0 ? [] : [only];
    byId("found").textContent = only < 0 ? `There is no answer ${name} here` : `One of ${count(rows.task.length)} answers`;
    turn(0, false);
    const details = byId("list").firstElementChild;
    if (details) details.open = true;
  }

  async function filter(start) {
    const own = search += 1;
    only = -1;
    const form = byId("filters");
    const task = index.tasks.findIndex((one) => one.name === form.task.value);
    const language = index.languages.findIndex((one) => one.code === form.language.value);
    const status = index.statuses.findIndex(([name]) => name === form.status.value);
    const failed = form.status.value === "-", beside = BESIDE[form.base.value]?.[1];
    let chosen = [];
    for (let row = 0; row < rows.task.length; row += 1) {
      if (task >= 0 && rows.task[row] !== task) continue;
      if (language >= 0 && rows.language[row] !== language) continue;
      if (status >= 0 && rows.status[row] !== status) continue;
      if (failed && isRight(row)) continue;
      if (beside && (base[row] < 0 || !beside(row, base[row]))) continue;
      chosen.push(row);
    }
    if (form.text.value) {
      try {
        chosen = await matching(form.text.value.toLowerCase(), chosen, own);
      } catch (error) {
        byId("found").textContent = `${error.message}.`;
        return;
      }
      if (own !== search) return;
    }
    shown = chosen;
    const right = shown.reduce((sum, row) => sum + isRight(row), 0);
    const share = shown.length && !form.status.value && !beside && !form.text.value ? `, ${(Math.round(1000 * right / shown.length) / 10).toFixed(1)}% of them correct` : "";
    byId("found").textContent = `${count(shown.length)} of ${count(rows.task.length)} answers${share}`;
    turn(start, false);
  }

  // Rows with a text in any of their texts or in their name; one file of texts after the other.
  async function matching(text, candidates, own) {
    const files = new Map(), found = [];
    for (const row of candidates) {
      const members = files.get(rows.chunk[row]);
      if (members) members.push(row); else files.set(rows.chunk[row], [row]);
    }
    let done = 0;
    for (const [number, members] of files) {
      byId("found").textContent = `Searching … ${count(done)} of ${count(candidates.length)} answers`;
      const parts = await chunk(number);
      if (own !== search) return [];
      const holds = (row) => [named(row), ...parts[rows.place[row]]].some((part) => part.toLowerCase().includes(text));
      found.push(...members.filter(holds));
      done += members.length;
    }
    return found.sort((a, b) => a - b);
  }

  function turn(start, scroll = true) {
    first = Math.max(0, Math.min(start, PER_PAGE * Math.floor(Math.max(0, shown.length - 1) / PER_PAGE)));
    byId("list").replaceChildren(...shown.slice(first, first + PER_PAGE).map(item));
    const last = Math.min(first + PER_PAGE, shown.length);
    byId("where").textContent = shown.length ? `${count(first + 1)} to ${count(last)} of ${count(shown.length)}` : "";
    byId("pager").hidden = shown.length <= PER_PAGE;
    byId("back").disabled = first === 0;
    byId("on").disabled = last === shown.length;
    if (scroll) byId("filters").scrollIntoView();
    const form = byId("filters"), kept = new URLSearchParams();
    for (const name of FIELDS) if (form[name].value) kept.set(name, form[name].value);
    if (only >= 0) kept.set("answer", named(only));
    if (first) kept.set("page", String(first / PER_PAGE + 1));
    const hash = `#${kept}`;
    if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  }

  // The language, and how it was asked unless plainly.
  function asked(row) {
    const name = index.languages[rows.language[row]].name, how = index.conditions[rows.condition[row]];
    return how ? `${name}, ${how}` : name;
  }

  function item(row) {
    const task = index.tasks[rows.task[row]], size = rows.size[row], twin = base[row];
    const summary = make("summary", {},
      make("span", { class: "outcome" }, dot(row), words(row)),
      make("b", {}, asked(row)),
      make("span", {}, task.title || task.name),
      make("span", { class: "muted num" }, size ? `${count(size)} ${task.unit}` : ""),
      twin >= 0 ? make("span", { class: "muted twin" }, `${baseName()}: `, dot(twin), words(twin)) : undefined);
    const details = make("details", { class: "example" }, summary);
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) fill(details, row); });
    return details;
  }

  async function fill(details, row) {
    const body = make("div", { class: "body" }, make("p", { class: "muted" }, "Reading …"));
    details.append(body);
    try {
      await show(body, row);
    } catch (error) {
      body.replaceChildren(make("p", {}, `${error.message}.`));
    }
  }

  async function show(body, row) {
    const twin = base[row];
    const [own, other] = await Promise.all([texts(row), twin >= 0 ? texts(twin) : undefined]);
    const group = groups.get(rows.question[row]);
    const chips = make("div", { class: "chips", role: "group", "aria-label": "The same question in another language or asked otherwise" },
      ...group.map((one) => {
        const button = make("button", { type: "button", "aria-pressed": String(one === row) }, dot(one), asked(one));
        button.addEventListener("click", () => show(body, one));
        return button;
      }));
    body.replaceChildren(...(group.length > 1 ? [chips] : []),
      make("div", { class: "pair" }, column(row, own), ...(other ? [column(twin, other)] : [])),
      make("p", { class: "muted small" }, make("a", { href: `#${new URLSearchParams({ answer: named(row) })}` }, "Link to this answer"),
        `. Question ${index.questions[rows.question[row]]}. Log: ${own[4]}${other ? `; ${baseName()}: ${other[4]}` : ""}`));
  }

  function column(row, [prompt, response, answer, details]) {
    const language = index.languages[rows.language[row]];
    const part = (title, text, attributes = {}) => [make("h4", {}, title), make("pre", { tabindex: "0", "aria-label": title, ...attributes }, text)];
    return make("div", {},
      make("h3", {}, asked(row), " ", make("span", { class: "sd" }, dot(row), words(row))),
      ...part("Model answer", response || "(empty)", { dir: "auto" }),
      ...part("Correct answer", answer),
      ...(details ? part("Grader diagnostics", details) : []),
      make("details", {}, make("summary", {}, "Prompt"),
        make("pre", { class: "prose", tabindex: "0", "aria-label": "Prompt", lang: language.code, dir: language.direction }, prompt || "(not in the log)")));
  }
})();
