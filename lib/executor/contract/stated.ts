import type { Contract } from './contract.ts';

type Partly<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: Partly<T[Key]> | undefined }
    : T;

/** What is known of a contract that is not finished; every {@link Contract} is one. Lists are known whole or not at all. */
export type Stated = Partly<Contract>;
