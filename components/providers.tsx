'use client';
import { setNonce } from 'get-nonce';
import { ThemeProvider } from 'next-themes';
import { createContext, useContext, type CSSProperties, type ReactNode } from 'react';
import { Toaster } from 'sonner';

const NonceContext = createContext<string | undefined>(undefined);

/**
 * The nonce of the document that is open, for parts that make `<style>` elements (the `nonce` of Radix's Select and
 * ScrollArea viewports). It comes from the root layout: a page's own would be wrong after a client navigation.
 */
export const useNonce = (): string | undefined => useContext(NonceContext);

/** What every page stands on: theme, toasts, and the nonce. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  if (nonce !== undefined) setNonce(nonce); // Radix's scroll lock asks for it there
  return (
    <NonceContext value={nonce}>
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
    </NonceContext>
  );
}

const TOAST_TOKENS = {
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  '--border-radius': 'var(--radius-m)',
} as CSSProperties;
