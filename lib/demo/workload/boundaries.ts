/** Where a worker can be killed: claimed and nothing sent; request under way; committed and nothing recorded. */
export const BOUNDARIES = ['before_the_wire', 'on_the_wire', 'before_the_record'] as const;
