import type { Client } from 'pg';

/**
 * The whole schema as text, in a fixed order, for a diff that a person can read: tables with columns, types and
 * defaults; constraints, indexes, policies, triggers; functions by signature and a hash of their bodies; owners and
 * grants. Our own catalog query, so no pg_dump is needed.
 */
export async function schemaSnapshot(client: Client): Promise<string> {
  const sections: string[] = [];
  for (const [title, query] of SECTIONS) {
    const { rows } = await client.query<{ line: string }>(query);
    if (rows.length > 0) sections.push([`-- ${title}`, ...rows.map((row) => row.line)].join('\n'));
  }
  return `${sections.join('\n\n')}\n`;
}

const OURS = `n.nspname in ('public', 'app')`;
const GRANTEE = `case when a.grantee = 0 then 'public' else a.grantee::regrole::text end`;

const SECTIONS: ReadonlyArray<readonly [title: string, query: string]> = [
  [
    'schemas',
    `select format('schema %I owner %s', nspname, nspowner::regrole) as line
       from pg_namespace n where ${OURS} order by nspname`,
  ],
  [
    'types',
    `select format('type %I.%I: %s', n.nspname, t.typname,
              case t.typtype when 'e' then (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
                                              from pg_enum e where e.enumtypid = t.oid)
                             else format('domain over %s', format_type(t.typbasetype, t.typtypmod)) end) as line
       from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where ${OURS} and t.typtype in ('e', 'd') order by n.nspname, t.typname`,
  ],
  [
    'relations',
    `select format('%s %I.%I owner %s%s%s%s',
              case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
                             when 'm' then 'materialized view' when 'S' then 'sequence' when 'c' then 'composite type' else c.relkind::text end,
              n.nspname, c.relname, c.relowner::regrole,
              case when c.relrowsecurity then ', row level security' else '' end,
              case when c.relforcerowsecurity then ', forced' else '' end,
              coalesce(', ' || array_to_string(c.reloptions, ' '), '')) as line
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c') order by n.nspname, c.relname`,
  ],
  [
    'columns',
    `select format('%I.%I.%I %s%s%s%s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attcollation <> t.typcollation and a.attcollation <> 0
                   then format(' collate %s', a.attcollation::regcollation) else '' end,
              case when a.attnotnull then ' not null' else '' end,
              case when d.adbin is null then ''
                   when a.attgenerated <> '' then format(' generated as (%s)', pg_get_expr(d.adbin, d.adrelid))
                   else format(' default %s', pg_get_expr(d.adbin, d.adrelid)) end
              || case a.attidentity when 'a' then ' identity always' when 'd' then ' identity' else '' end) as line
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'c') and a.attnum > 0 and not a.attisdropped
      order by n.nspname, c.relname, a.attnum`,
  ],
  [
    'constraints',
    // not-null constraints have rows here from version 18 on; the columns say it in every version
    `select format('%I.%I %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and k.contype <> 'n' order by n.nspname, c.relname, k.conname`,
  ],
  [
    'indexes',
    `select pg_get_indexdef(i.indexrelid) as line
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class x on x.oid = i.indexrelid
      where ${OURS} order by n.nspname, c.relname, x.relname`,
  ],
  [
    'views',
    `select format(E'%I.%I as\\n%s', n.nspname, c.relname, pg_get_viewdef(c.oid, true)) as line
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and c.relkind in ('v', 'm') order by n.nspname, c.relname`,
  ],
  [
    'policies',
    `select format('%I.%I %I %s for %s to %s using (%s) with check (%s)', n.nspname, c.relname, p.polname,
              case when p.polpermissive then 'permissive' else 'restrictive' end,
              case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
                            when 'd' then 'delete' else 'all' end,
              (select string_agg(case when r = 0 then 'public' else r::regrole::text end, ', ' order by r::regrole::text)
                 from unnest(p.polroles) r),
              pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) as line
       from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} order by n.nspname, c.relname, p.polname`,
  ],
  [
    'triggers',
    `select pg_get_triggerdef(t.oid) as line
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and not t.tgisinternal order by n.nspname, c.relname, t.tgname`,
  ],
  [
    'functions',
    `select format('%I.%I(%s) returns %s %s%s%s owner %s%s body %s', n.nspname, p.proname,
              pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname,
              case p.provolatile when 'i' then ' immutable' when 's' then ' stable' else ' volatile' end,
              case when p.prosecdef then ' security definer' else '' end, p.proowner::regrole,
              coalesce(' set ' || array_to_string(p.proconfig, ' '), ''),
              substr(encode(sha256(convert_to(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), 'UTF8')), 'hex'), 1, 16)) as line
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
      where ${OURS} order by n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)`,
  ],
  [
    'grants',
    // null means the kind's default: acldefault() spells it out, so that a revoke is seen
    `with granted as (
       select 'schema ' || quote_ident(n.nspname) as object, coalesce(n.nspacl, acldefault('n', n.nspowner)) as acl
         from pg_namespace n where ${OURS}
       union all
       select format('%I.%I', n.nspname, c.relname),
              coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S')
       union all
       select format('%I.%I.%I', n.nspname, c.relname, a.attname), a.attacl
         from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where ${OURS} and a.attacl is not null
       union all
       select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
              coalesce(p.proacl, acldefault('f', p.proowner))
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS})
     select format('%s to %s: %s', g.object, ${GRANTEE},
              string_agg(lower(a.privilege_type) || case when a.is_grantable then ' with grant option' else '' end,
                         ', ' order by a.privilege_type)) as line
       from granted g cross join aclexplode(g.acl) a
      group by g.object, a.grantee order by g.object, ${GRANTEE}`,
  ],
];
