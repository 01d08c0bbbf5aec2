'use client';
import { useHotkeys } from 'react-hotkeys-hook';

/* Buttons that act as radios take single keys too; whatever takes text does not. */
const TAKES_KEYS = ['radio', 'option'] as const;

const isUndisturbed = () =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') === null;

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
