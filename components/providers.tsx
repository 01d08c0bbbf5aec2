'use client';
import { ThemeProvider } from 'next-themes';
import type { CSSProperties, ReactNode } from 'react';
import { Toaster } from 'sonner';

/**
 * What every page stands on: theme and toasts, and the nonce for what makes `<style>` elements. It comes from the
 * root layout: a page's own would be wrong after a client navigation.
 */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(nonce === undefined ? {} : { nonce })}
    >
      {children}
      <Toaster position="bottom-right" style={TOAST_TOKENS} />
    </ThemeProvider>
  );
}

const TOAST_TOKENS = {
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  '--border-radius': 'var(--radius-m)',
} as CSSProperties;
