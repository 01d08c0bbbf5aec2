import { Placard } from '../../../../components/ui/placard.tsx';

/** Inside the frame: an operation that is not in this scope. */
export default function NotHere() {
  return (
    <Placard title="There is no such operation here" tone="closed" level={1}>
      <p>
        The key may be mistyped, or belong to another tenant or environment. Change the scope above, or find
        it by its key, receipt or fingerprint.
      </p>
    </Placard>
  );
}
