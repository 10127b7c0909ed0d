/** The styles of the card. Each rule is under `.agio-convert`, and each colour a variable, so that the card fits into any page. */
export const styles = `.agio-convert {
  --card: var(--agio-background, #fff);
  --text: var(--agio-text, #16181d);
  --muted: var(--agio-muted, #5b616e);
  --line: var(--agio-line, #d5d9e0);
  --accent: var(--agio-accent, #1e5bd7);
  --on-accent: var(--agio-on-accent, #fff);
  --danger: var(--agio-danger, #b3261e);
  --warning: var(--agio-warning, #8a5a00);
  --success: var(--agio-success, #146c43);
  --radius: var(--agio-radius, 12px);
  box-sizing: border-box;
  display: grid;
  gap: 8px;
  width: 100%;
  max-width: 420px;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--card);
  color: var(--text);
  font: 16px/1.4 var(--agio-font, system-ui, sans-serif);
}
.agio-convert .agio-side {
  display: grid;
  grid-template-columns: 1fr auto;
  align-items: center;
  gap: 4px 8px;
}
.agio-convert .agio-side label {
  grid-column: 1 / -1;
  color: var(--muted);
  font-size: 14px;
}
.agio-convert .agio-amount {
  min-width: 0;
  min-height: 1.4em;
  padding: 4px 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  font-size: 24px;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.agio-convert select,
.agio-convert button {
  min-height: 44px;
  padding: 0 12px;
  border: 1px solid var(--line);
  border-radius: calc(var(--radius) * 0.66);
  background: var(--card);
  color: inherit;
  font: inherit;
}
.agio-convert .agio-note {
  margin: 0;
  color: var(--muted);
  font-size: 14px;
}
.agio-convert .agio-status {
  min-height: 2.8em;
  margin: 8px 0 0;
}
.agio-convert .agio-danger {
  color: var(--danger);
}
.agio-convert .agio-warning {
  color: var(--warning);
}
.agio-convert .agio-success {
  color: var(--success);
}
.agio-convert .agio-buttons {
  display: grid;
  gap: 8px;
}
.agio-convert button:first-of-type {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--on-accent);
}
.agio-convert :focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
`
