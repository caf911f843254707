import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraphqlSchema } from './create-schema.ts';
import { toRecordName } from './field-name.ts';
import { FIELD_WORDS } from './field-words.ts';

describe('words for fields', () => {
  it('are each used by a field whose record has none', () => {
    const types = Object.values(createGraphqlSchema().getTypeMap()).filter(isObjectType);
    const used = types.flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, description }) =>
        [`${type.name}.${toRecordName(name)}`, toRecordName(name)].filter((key) => FIELD_WORDS[key] === description),
      ),
    );
    expect(Object.keys(FIELD_WORDS).filter((key) => !used.includes(key))).toEqual([]);
  });
});
