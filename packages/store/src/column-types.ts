import pg from 'pg';

const INT8 = 20;

/** How column values arrive; like the driver's defaults, but an int8 is a bigint instead of text. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
