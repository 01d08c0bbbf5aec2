'use client';
import { ErrorPage } from './error-page.tsx';

type Props = { error: Error & { digest?: string } };

/** Shown in place of a page that failed; the layout around it stays. */
export default function PageError({ error }: Props) {
  return <ErrorPage reference={error.digest} />;
}
