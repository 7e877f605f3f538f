// Products of blocks with vectors in one precision. Included by amg_blocks.c for each, with
//     REAL       the numbers
//     FOUR       four of them at any address
//     NAME(x)    a name of its own
// A block is loaded by rows, each with one number too many, which nothing becomes of.

typedef struct NAME(three) {
    FOUR a, b, c;
} NAME(three);

ZN_INLINE NAME(three) NAME(load)(const REAL *value)
{
    return (NAME(three)){*(const FOUR *)value, *(const FOUR *)(value + SIDE), *(const FOUR *)(value + 2 * SIDE)};
}

// Products whose columns have still to be summed up.
ZN_INLINE void NAME(accumulate)(const NAME(three) * block, const FOUR *x, NAME(three) * sum)
{
    sum->a += block->a * *x;
    sum->b += block->b * *x;
    sum->c += block->c * *x;
}

ZN_INLINE void NAME(sum_up)(const NAME(three) * s, FOUR *out)
{
    *out = (FOUR){(s->a[0] + s->a[1]) + s->a[2], (s->b[0] + s->b[1]) + s->b[2], (s->c[0] + s->c[1]) + s->c[2], 0};
}

// y += block' x
ZN_INLINE void NAME(add_transposed)(const NAME(three) * block, const FOUR *x, FOUR *y)
{
    *y += (block->a * (*x)[0] + block->b * (*x)[1]) + block->c * (*x)[2];
}

// y = A x: each block left of the diagonal is used for its own row and, transposed, for that of its column.
ZN_INLINE void NAME(multiply_half)(const zn_blocks *half, int first, int end, const REAL *value, const REAL *x, REAL *y)
{
    const int *column = half->column;
    value += (size_t)half->start[first] * BLOCK;
    for (int i = first, e = half->start[first]; i < end; i++, e++, value += BLOCK) {
        FOUR here = *(const FOUR *)(x + (size_t)i * STEP);
        NAME(three) sum = {0};
        for (int last = half->start[i + 1] - 1; e < last; e++, value += BLOCK) {
            NAME(three) block = NAME(load)(value);
            NAME(accumulate)(&block, (const FOUR *)(x + (size_t)column[e] * STEP), &sum);
            NAME(add_transposed)(&block, &here, (FOUR *)(y + (size_t)column[e] * STEP));
        }
        NAME(three) own = NAME(load)(value);
        NAME(accumulate)(&own, &here, &sum);
        NAME(sum_up)(&sum, (FOUR *)(y + (size_t)i * STEP));
    }
}
