import type { Contract } from './contract/contract.ts';
import type { Material } from './identity/material.ts';
import { rfc8785Text } from './identity/canonical.ts';

/** Whether a person approves this request before its effect: by the decision always, else by the contract's `when`. */
export function needsApproval({ approval, decision }: Contract, material: Material): boolean {
  if (decision === 'automate_with_approval') return true;
  if (approval === undefined || !('valid_seconds' in approval)) return false;
  if (approval.when === undefined) return true;
  return approval.when.some(({ field, any_of: anyOf, at_least: atLeast }) => {
    const value = Object.hasOwn(material, field) ? material[field] : undefined;
    if (value === undefined) return false;
    if (anyOf?.some((one) => rfc8785Text(one) === rfc8785Text(value)) === true) return true;
    return atLeast !== undefined && (typeof value !== 'number' || value >= atLeast); // what cannot be compared is asked about
  });
}
