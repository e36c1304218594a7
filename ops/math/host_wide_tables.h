// Host math, the tables of host_wide.h: for each index the coefficients of its interval.
#pragma once

#include <c10/macros/Macros.h>

namespace at::native::math::host {
inline namespace CPU_CAPABILITY {

// Computed by tests/numerics/constants.py: 2^(i/16), its rounding error, and log(2^(i/16)) / 2 minus half the
// logarithm of the rounded value.
alignas(64) inline constexpr double root_power[16] = {0x1p+0,
                                                      0x1.0b5586cf9890fp+0,
                                                      0x1.172b83c7d517bp+0,
                                                      0x1.2387a6e756238p+0,
                                                      0x1.306fe0a31b715p+0,
                                                      0x1.3dea64c123422p+0,
                                                      0x1.4bfdad5362a27p+0,
                                                      0x1.5ab07dd485429p+0,
                                                      0x1.6a09e667f3bcdp+0,
                                                      0x1.7a11473eb0187p+0,
                                                      0x1.8ace5422aa0dbp+0,
                                                      0x1.9c49182a3f09p+0,
                                                      0x1.ae89f995ad3adp+0,
                                                      0x1.c199bdd85529cp+0,
                                                      0x1.d5818dcfba487p+0,
                                                      0x1.ea4afa2a490dap+0};
alignas(64) inline constexpr double root_power_low[16] = {0x0p+0,
                                                          0x1.8a62e4adc610bp-54,
                                                          -0x1.19041b9d78a76p-55,
                                                          0x1.9b07eb6c70573p-54,
                                                          0x1.6f46ad23182e4p-55,
                                                          0x1.ada0911f09ebcp-55,
                                                          0x1.d4397afec42e2p-56,
                                                          0x1.6324c054647adp-54,
                                                          -0x1.bdd3413b26456p-54,
                                                          -0x1.41577ee04992fp-55,
                                                          0x1.6e9f156864b27p-54,
                                                          0x1.c7c46b071f2bep-56,
                                                          0x1.7a1cd345dcc81p-54,
                                                          0x1.11065895048ddp-55,
                                                          0x1.2ed02d75b3707p-55,
                                                          -0x1.e9c23179c2893p-54};
alignas(64) inline constexpr double half_log_low[16] = {0x0p+0,
                                                        0x1.79aa65d837b6cp-55,
                                                        -0x1.01b15eaa59348p-56,
                                                        0x1.68efde3a8a894p-55,
                                                        0x1.34d754db0abb6p-56,
                                                        0x1.59f48a72a4c6dp-56,
                                                        0x1.690cebb7aafbp-57,
                                                        0x1.063e1e21c5409p-55,
                                                        -0x1.3b3efbf5e2229p-55,
                                                        -0x1.b32dcb94da51dp-57,
                                                        0x1.db72fc1f0eab4p-56,
                                                        0x1.1affc2b91ce27p-57,
                                                        0x1.c1a7792cb3387p-56,
                                                        0x1.36eae30af0cb3p-57,
                                                        0x1.4a385a63d07a7p-57,
                                                        -0x1.ff7128fd391f1p-56};

// tanh(37/128 * i + r) as a polynomial in r, by fits that weren't recorded.
alignas(64) inline constexpr float tanh_term0[32] = {
    0x0p+0f,        0x1.2005bp-2f,  0x1.0ae802p-1f, 0x1.665ed8p-1f, 0x1.a3beaap-1f, 0x1.ca1e42p-1f,
    0x1.e10f6ep-1f, 0x1.ee693ap-1f, 0x1.f60efcp-1f, 0x1.fa6644p-1f, 0x1.fcd9dp-1f,  0x1.fe3b28p-1f,
    0x1.ff01cap-1f, 0x1.ff7156p-1f, 0x1.ffaff4p-1f, 0x1.ffd318p-1f, 0x1.ffe6cep-1f, 0x1.fff1dep-1f,
    0x1.fff812p-1f, 0x1.fffb8ep-1f, 0x1.fffd82p-1f, 0x1.fffe9ap-1f, 0x1.ffff38p-1f, 0x1.ffff9p-1f,
    0x1.ffffcp-1f,  0x1.ffffdcp-1f, 0x1.ffffecp-1f, 0x1.fffff4p-1f, 0x1.fffffap-1f, 0x1.fffffcp-1f,
    0x1.fffffep-1f, 0x1.fffffep-1f};
alignas(64) inline constexpr float tanh_term1[32] = {
    0x1p+0f,         0x1.d77e6ep-1f,  0x1.74dc82p-1f,  0x1.05294ep-1f,  0x1.4fc65p-2f,   0x1.985f7p-3f,
    0x1.e01414p-4f,  0x1.1496dcp-4f,  0x1.3b09eep-5f,  0x1.647956p-6f,  0x1.91daeep-7f,  0x1.c40f88p-8f,
    0x1.fbefacp-9f,  0x1.1d2b52p-9f,  0x1.401576p-10f, 0x1.6732ap-11f,  0x1.930b48p-12f, 0x1.c4366cp-13f,
    0x1.fb5c4ep-14f, 0x1.1c9c6ap-14f, 0x1.3f4f32p-15f, 0x1.663c54p-16f, 0x1.91e7e4p-17f, 0x1.c2e60ep-18f,
    0x1.f9dd02p-19f, 0x1.1bc38ap-19f, 0x1.3e5ab2p-20f, 0x1.652948p-21f, 0x1.90b2d8p-22f, 0x1.c18b0ep-23f,
    0x1.f8577cp-24f, 0x1.1ae8fep-24f};
alignas(64) inline constexpr float tanh_term2[32] = {
    0x0p+0f,          -0x1.093932p-2f,  -0x1.84c464p-2f,  -0x1.6d985p-2f,   -0x1.134908p-2f,
    -0x1.6d67fcp-3f,  -0x1.c321d8p-4f,  -0x1.0b0712p-4f,  -0x1.35186cp-5f,  -0x1.60e99ep-6f,
    -0x1.8fde22p-7f,  -0x1.c223c2p-8f,  -0x1.fe2674p-9f,  -0x1.1b4b36p-9f,  -0x1.3d562ap-10f,
    -0x1.6b1474p-11f, -0x1.80cf04p-12f, -0x1.be8cfp-13f,  -0x1.c5fcdcp-14f, -0x1.4e6278p-14f,
    -0x1.c58f52p-15f, -0x1.cc522p-16f,  -0x1.315b5cp-15f, -0x1.a83866p-16f, 0x1.0a62c6p-16f,
    0x1.80265ap-17f,  0x1.84d33ap-20f,  0x1.5d421p-16f,   -0x1.d989fcp-18f, 0x1.9c583cp-17f,
    0x1.5c5492p-21f,  0x1.7f7404p-16f};
alignas(64) inline constexpr float tanh_term3[32] = {
    -0x1.5552b2p-2f, -0x1.df89e2p-3f, -0x1.6f3f28p-5f, 0x1.471a4ap-4f,  0x1.c7081cp-4f,  0x1.7da6d4p-4f,
    0x1.07cc22p-4f,  0x1.4b6cf2p-5f,  0x1.8bd5bep-6f,  0x1.cbcc88p-7f,  0x1.06fa24p-7f,  0x1.2a401ep-8f,
    0x1.50a9e6p-9f,  0x1.7afabcp-10f, 0x1.a9facap-11f, 0x1.de7262p-12f, 0x1.0c8742p-12f, 0x1.2d5eccp-13f,
    0x1.522bcap-14f, 0x1.7b741p-15f,  0x1.a9badp-16f,  0x1.dda0cp-17f,  0x1.0bf02ep-17f, 0x1.2c9aacp-18f,
    0x1.513984p-19f, 0x1.7a564ep-20f, 0x1.a877ccp-21f, 0x1.dc331cp-22f, 0x1.0b22b6p-22f, 0x1.2bb096p-23f,
    0x1.503a0ap-24f, 0x1.7931bp-25f};
alignas(64) inline constexpr float tanh_term4[32] = {
    0x0p+0f,          0x1.348194p-3f,   0x1.38572p-3f,    0x1.021cfep-4f,  0x1.548eacp-14f, -0x1.7da998p-6f,
    -0x1.6518bep-6f,  -0x1.3a7838p-6f,  -0x1.13e6a8p-7f,  -0x1.0b430cp-8f, -0x1.0a381p-9f,  -0x1.819d92p-9f,
    0x1.e10314p-10f,  -0x1.25b30cp-9f,  -0x1.af4e2ep-10f, 0x1.86c5c2p-11f, -0x1.31eb0cp-9f, -0x1.b0d986p-12f,
    -0x1.b34714p-10f, 0x1.8672d6p-10f,  0x1.09939ep-9f,   0x1.92b008p-11f, 0x1.974b98p-9f,  0x1.35b99cp-9f,
    -0x1.48384ap-9f,  -0x1.c51df2p-10f, -0x1.6053bap-12f, -0x1.66bd2cp-9f, 0x1.be4d8cp-11f, -0x1.a165e4p-10f,
    -0x1.99960cp-14f, -0x1.7ebcbap-9f};
alignas(64) inline constexpr float tanh_term5[32] = {
    0x1.0de016p-3f,  0x1.d43c22p-5f,  -0x1.7fdf9cp-5f, -0x1.e0c49ep-5f, -0x1.db94dcp-6f, -0x1.6757d2p-8f,
    0x1.b732dcp-9f,  0x1.386f82p-8f,  0x1.e1752ap-9f,  0x1.3dbdecp-9f,  0x1.8566d4p-10f, 0x1.cbde46p-11f,
    0x1.067842p-11f, 0x1.2ce4d6p-12f, 0x1.5556b6p-13f, 0x1.7c5f54p-14f, 0x1.b16ap-15f,   0x1.e7922p-16f,
    0x1.100938p-16f, 0x1.2e439p-17f,  0x1.53fd6ep-18f, 0x1.7f1134p-19f, 0x1.a8afbcp-20f, 0x1.e06ecep-21f,
    0x1.12acc2p-21f, 0x1.2e96fcp-22f, 0x1.55b8bp-23f,  0x1.84494ep-24f, 0x1.aca174p-25f, 0x1.e9d394p-26f,
    0x1.0f171ep-26f, 0x1.707d4ep-27f};
alignas(64) inline constexpr float tanh_term6[32] = {
    0x0p+0f,         -0x1.685536p-6f, -0x1.db1928p-4f, 0x1.f1aa52p-7f,  -0x1.f9a7dcp-6f, -0x1.53dabcp-7f,
    -0x1.f7e6d4p-5f, 0x1.e355eap-5f,  -0x1.634ad6p-4f, -0x1.594c62p-4f, -0x1.ee9b14p-5f, 0x1.67bf7ap-6f,
    -0x1.9645b4p-4f, 0x1.8c1374p-5f,  0x1.431902p-5f,  -0x1.fc50c4p-6f, 0x1.1fb9eep-4f,  0x1.638326p-7f,
    0x1.a6af14p-5f,  -0x1.8a8cb4p-5f, -0x1.09ff94p-4f, -0x1.94893ap-6f, -0x1.95ea7ap-4f, -0x1.34926cp-4f,
    0x1.4685bap-4f,  0x1.c2d0eep-5f,  0x1.5e446cp-7f,  0x1.6508dap-4f,  -0x1.bc48aap-6f, 0x1.9f6e32p-5f,
    0x1.97825ap-9f,  0x1.7cf268p-4f};

}  // namespace CPU_CAPABILITY
}  // namespace at::native::math::host
