'use client';
import { ErrorPage } from './error-page.tsx';
import './globals.css';

type Props = { error: Error & { digest?: string } };

/** Shown when the root layout itself failed: it brings its own document, and the theme is the system's light one. */
export default function GlobalError({ error }: Props) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <title>Something went wrong · Replay Desk</title>
      </head>
      <body>
        <ErrorPage reference={error.digest} />
      </body>
    </html>
  );
}
