'use client';
import { Moon, Sun } from 'lucide-react';
import { useTheme } from 'next-themes';
import { Tooltip } from '../ui/tooltip.tsx';

/** Light or dark. Both drawings are always there, so that the server need not know which one is on. */
export function ThemeToggle() {
  const { resolvedTheme, setTheme } = useTheme();
  return (
    <Tooltip text="Light or dark">
      <button
        type="button"
        aria-label="Change between light and dark"
        onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}
        className="inline-flex h-7 w-7 cursor-pointer items-center justify-center rounded-m text-ink-2 hover:bg-raised hover:text-ink"
      >
        <Moon size={14} aria-hidden="true" className="dark:hidden" />
        <Sun size={14} aria-hidden="true" className="hidden dark:block" />
      </button>
    </Tooltip>
  );
}
