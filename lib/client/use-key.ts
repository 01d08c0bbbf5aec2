'use client';
import { useHotkeys } from 'react-hotkeys-hook';

/* Buttons that act as radios take single keys too; whatever takes text does not. */
const TAKES_KEYS = ['radio', 'option'] as const;

const isUndisturbed = () =>
  document.querySelector('dialog[open], [role=dialog], [role=alertdialog], [role=menu], :popover-open') ===
  null;

/**
 * A single key, or a sequence like `g>q`, named by what it types. Never fires while somebody types, or while a dialog
 * or menu is open.
 */
export function useKey(keys: string | string[], act: () => void, enabled = true): void {
  useHotkeys(keys, act, {
    useKey: true,
    preventDefault: true,
    enabled: () => enabled && isUndisturbed(),
    enableOnFormTags: TAKES_KEYS,
    sequenceTimeoutMs: 1_200,
  });
}

/** The keys of a form: ⌘ or Ctrl with Enter sends it from wherever the focus is; Escape leaves a field of it. */
export function useFormKeys(send: () => void, leaveField: () => void): void {
  useHotkeys('mod+enter', send, {
    useKey: true,
    preventDefault: true,
    enabled: isUndisturbed,
    enableOnFormTags: true,
  });
  useHotkeys('escape', leaveField, {
    useKey: true,
    enabled: ({ target }) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement,
    enableOnFormTags: true,
  });
}
