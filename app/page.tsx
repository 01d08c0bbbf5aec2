import { redirect } from 'next/navigation';
import { Placard } from '../components/ui/placard.tsx';
import { SignOut } from '../components/shell/sign-out.tsx';
import { Wordmark } from '../components/ui/wordmark.tsx';
import { pageCaller } from '../lib/auth/caller.ts';
import { pages } from '../lib/client/addresses.ts';

/** Everybody starts at the queue of the first scope that is open to them. */
export default async function HomePage() {
  const { user, scopes } = await pageCaller();
  const [first] = scopes;
  if (first) redirect(pages.queue({ tenant: first.tenantId, environment: first.environment }));
  return (
    <main className="min-h-dvh px-6 py-7">
      <Wordmark />
      <Placard title="Nothing is open to you yet" tone="closed" level={1}>
        <p>
          You are signed in as <bdi className="font-semibold">{user.name}</bdi>, and no tenant or environment
          is granted to you. An administrator of a tenant can grant you a role; it works from your next click
          on.
        </p>
        <SignOut withWord />
      </Placard>
    </main>
  );
}
