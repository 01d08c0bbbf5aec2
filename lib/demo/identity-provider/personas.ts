import type { Role } from '../../domain/states.ts';

/** Somebody to sign in as: `sub`, `name` and `email` are what the provider says about them. */
export type Persona = {
  sub: string;
  name: string;
  email: string;
  /** Their place in the organisation, in a word or two. */
  title: string;
  /** Where they may do what, in a line. */
  summary: string;
  grants: readonly Grant[];
  /** Why one would sign in as them. */
  description: string;
};

type Grant = { tenant: string; environment: string; role: Role };

const grants = (role: Role, ...scopes: readonly [tenant: string, environment: string][]): Grant[] =>
  scopes.map(([tenant, environment]) => ({ tenant, environment, role }));

const EVERYWHERE = [
  ['acme', 'production'],
  ['acme', 'staging'],
  ['globex', 'production'],
  ['globex', 'staging'],
] as const satisfies [string, string][];

export const PERSONAS: readonly Persona[] = [
  {
    sub: 'ines',
    name: 'Ines Okafor',
    email: 'ines@example.test',
    title: 'Operator',
    summary: 'operator: acme production and staging, globex production',
    grants: grants('operator', ['acme', 'production'], ['acme', 'staging'], ['globex', 'production']),
    description: 'Works the queue of two tenants: looks up what really happened and records the verdict.',
  },
  {
    sub: 'marek',
    name: 'Marek Brandt',
    email: 'marek@example.test',
    title: 'Operator',
    summary: 'operator: acme production and staging',
    grants: grants('operator', ['acme', 'production'], ['acme', 'staging']),
    description: 'The second pair of eyes at acme. Sees nothing of globex.',
  },
  {
    sub: 'otto',
    name: 'Otto Lindqvist',
    email: 'otto@example.test',
    title: 'On-call',
    summary: 'viewer: acme and globex, every environment',
    grants: grants('viewer', ...EVERYWHERE),
    description: 'Reads the trace of one operation at night. Decides nothing.',
  },
  {
    sub: 'rita',
    name: 'Rita Nakamura',
    email: 'rita@example.test',
    title: 'Security reviewer',
    summary: 'auditor: acme and globex, every environment',
    grants: grants('auditor', ...EVERYWHERE),
    description: 'Reads the audit log and the replays, and checks who decided what on which evidence.',
  },
];
