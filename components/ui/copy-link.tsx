'use client';
import { useState } from 'react';
import { useKey } from '../../lib/client/use-key.ts';
import { Button } from './button.tsx';
import { Kbd } from './kbd.tsx';

/** Copies the address of the page, by click or by `y`. */
export function CopyLink() {
  const [done, setDone] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(location.href).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    });
  };
  useKey('y', copy);
  return (
    <Button look="link" onClick={copy}>
      <span role="status">{done ? 'Link copied' : 'Copy link'}</span> <Kbd>y</Kbd>
    </Button>
  );
}
