/** The product's sign: a loop that comes to rest in one bar. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5 text-md font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 20 20" width="19" height="19" className="shrink-0">
        <rect width="20" height="20" rx="5" className="fill-ink" />
        <path
          d="M6 13.6V9.2A2.7 2.7 0 0 1 8.7 6.5h2.6a2.7 2.7 0 0 1 0 5.4H9.4"
          fill="none"
          strokeWidth="1.8"
          strokeLinecap="round"
          className="stroke-surface"
        />
        <circle cx="9" cy="11.9" r="1.5" className="fill-surface" />
      </svg>
      Replay Desk
    </span>
  );
}
