import type { ReactNode } from 'react';
import { Shell } from '../../../../components/shell/shell.tsx';
import { pageCaller } from '../../../../lib/auth/caller.ts';
import { countCases } from '../../../../lib/services/count-cases.ts';
import { orNotFound } from '../../or-not-found.ts';
import { readScope } from '../../path.ts';

type Props = { params: Promise<{ tenant: string; environment: string }>; children: ReactNode };

/** The frame of one scope's screens. It asks for the grant; each page below asks again for itself. */
export default async function ScopeLayout({ params, children }: Props) {
  const scope = await readScope(params);
  const caller = await pageCaller();
  const figures = await orNotFound(countCases(caller, scope));
  const granted = caller.scopes.map(({ tenantId, environment }) => ({
    tenant: tenantId,
    environment,
    roles: [...caller.rolesFor(tenantId, environment)],
  }));
  const person = { name: caller.user.name, roles: [...caller.rolesFor(scope.tenant, scope.environment)] };
  return (
    <Shell scope={scope} granted={granted} person={person} figures={figures}>
      {children}
    </Shell>
  );
}
