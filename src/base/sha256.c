// FIPS 180-4, sections 4.1.2, 4.2.2, 5.3.3 and 6.2.2. Constants: of the roots of the first primes.
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

// The message schedule of one block of 64 bytes.
static void spread(const unsigned char *block, uint32_t W[64])
{
    for (int t = 0; t < 16; t++, block += 4)
        W[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
}

static void mix(const unsigned char *block, uint32_t H[8])
{
    uint32_t W[64], a[8];
    spread(block, W);
    memcpy(a, H, sizeof a); // a, b, ... h of the standard
    for (int t = 0; t < 64; t++) {
        uint32_t S1 = turn(a[4], 6) ^ turn(a[4], 11) ^ turn(a[4], 25), choice = (a[4] & a[5]) ^ (~a[4] & a[6]);
        uint32_t S0 = turn(a[0], 2) ^ turn(a[0], 13) ^ turn(a[0], 22);
        uint32_t majority = (a[0] & a[1]) ^ (a[0] & a[2]) ^ (a[1] & a[2]);
        uint32_t T1 = a[7] + S1 + choice + K[t] + W[t], T2 = S0 + majority;
        memmove(a + 1, a, 7 * sizeof *a);
        a[4] += T1;
        a[0] = T1 + T2;
    }
    for (int i = 0; i < 8; i++)
        H[i] += a[i];
}

void zn_sha256(const void *bytes, size_t size, char text[ZN_SHA256_TEXT])
{
    uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = bytes;
    unsigned char        last[128] = {0}; // what is left, a one, zeros and the number of bits
    size_t               left = size % 64, end = left < 56 ? 64 : 128;
    for (size_t k = 0; k < size / 64; k++, at += 64)
        mix(at, H);
    if (left > 0)
        memcpy(last, at, left);
    last[left] = 0x80;
    for (int i = 0; i < 8; i++)
        last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t k = 0; k < end; k += 64)
        mix(last + k, H);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)H[i]);
}
