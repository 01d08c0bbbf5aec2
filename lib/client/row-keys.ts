/** Moves through a list of rows by keys. A row is a link marked `data-row`, so Enter and Tab work as everywhere. */
export const rowKeys = {
  move(list: HTMLElement | null, by: 1 | -1): void {
    const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    if (rows.length === 0) return;
    const focused = rows.findIndex((row) => row === document.activeElement);
    const current =
      focused >= 0 ? focused : rows.findIndex((row) => row.getAttribute('aria-current') === 'page');
    const next =
      current < 0 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, current + by));
    rows[next]?.focus();
    rows[next]?.scrollIntoView({ block: 'nearest' });
  },
};
