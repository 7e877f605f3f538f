// Digests against the examples of the standard, and at every length around the ends of blocks.
#include "check.h"

#include <stdlib.h>

#include "base/sha256.h"

static void check_digest(const char *text, size_t size, const char *expected)
{
    char digest[ZN_SHA256_TEXT];
    zn_sha256(text, size, digest);
    assert_string_equal(digest, expected);
}

static void test_examples(void **state)
{
    (void)state;
    check_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    check_digest(two, strlen(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    memset(million, 'a', 1000000);
    check_digest(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

// The digest of the digests of 0, 1, ... 199 letters x, as sha256sum has it.
static void test_lengths(void **state)
{
    (void)state;
    static char all[200 * (ZN_SHA256_TEXT - 1) + 1];
    char        letters[200];
    memset(letters, 'x', sizeof letters);
    for (size_t n = 0; n < 200; n++)
        zn_sha256(letters, n, all + n * (ZN_SHA256_TEXT - 1));
    check_digest(all, sizeof all - 1, "f61ffcc417e1f0e59eba2da7fa32fbe05b64e478b68c6bacf990455f00248b98");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
