"""Small configurations of the packages' models, and what they are given: tables by kind of input.

Each line has the model's type, the Auto class's ending, and the options of its configuration that differ from
SMALL's.
"""

from __future__ import annotations

from typing import Any

VOCABULARY = 99
SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_GROUPED = {"num_key_value_heads": 2}
_HEADS = {**_GROUPED, "head_dim": 8}
_EXPERTS = {**_GROUPED, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}
_PAIR = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "decoder_start_token_id": 1,
    "forced_eos_token_id": None,
    "forced_bos_token_id": None,
}
_T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
_IMAGES = {"image_size": 32, "patch_size": 8, "num_labels": 5}
_STAGES = {"hidden_sizes": [8, 16], "depths": [1, 1], "num_labels": 5}
_SPEECH = {
    "conv_dim": [16, 16],
    "conv_stride": [5, 2],
    "conv_kernel": [10, 3],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 4,
    "num_conv_pos_embedding_groups": 2,
    "apply_spec_augment": False,
    "ctc_loss_reduction": "mean",
}
_TEXT_TOWER = {**SMALL, "projection_dim": 16}
_TOWERS = {
    "text_config": _TEXT_TOWER,
    "vision_config": {**SMALL, **_IMAGES, "projection_dim": 16},
    "projection_dim": 16,
}

Line = tuple[str, str, dict[str, Any]]
TRANSFORMERS: dict[str, list[Line]] = {
    "masked": [
        ("albert", "MaskedLM", {"embedding_size": 16}),
        ("bert", "MaskedLM", {}),
        ("big_bird", "MaskedLM", {"attention_type": "original_full"}),
        ("camembert", "MaskedLM", {}),
        ("convbert", "MaskedLM", {"embedding_size": 32}),
        ("deberta", "MaskedLM", {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}),
        ("deberta-v2", "MaskedLM", {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}),
        ("distilbert", "MaskedLM", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}),
        ("electra", "MaskedLM", {"embedding_size": 16}),
        ("fnet", "MaskedLM", {}),
        ("modernbert", "MaskedLM", {}),
        ("mpnet", "MaskedLM", {}),
        ("roberta", "MaskedLM", {}),
        ("roformer", "MaskedLM", {"embedding_size": 32}),
        ("xlm-roberta", "MaskedLM", {}),
    ],
    "causal": [
        ("bloom", "CausalLM", {"n_layer": 2, "n_head": 4}),
        ("codegen", "CausalLM", {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_ctx": 64, "rotary_dim": 4}),
        ("cohere", "CausalLM", _GROUPED),
        ("falcon", "CausalLM", {}),
        ("gemma", "CausalLM", _HEADS),
        ("gemma2", "CausalLM", {**_HEADS, "sliding_window": 8}),
        ("gemma3_text", "CausalLM", {**_HEADS, "sliding_window": 8}),
        ("glm", "CausalLM", _HEADS),
        ("gpt2", "CausalLM", {"n_embd": 32, "n_layer": 2, "n_head": 4}),
        ("gpt_bigcode", "CausalLM", {"n_embd": 32, "n_layer": 2, "n_head": 4}),
        ("gpt_neo", "CausalLM", {"num_layers": 2, "num_heads": 4, "attention_types": [[["global"], 2]]}),
        ("gpt_neox", "CausalLM", {}),
        ("gptj", "CausalLM", {"n_embd": 32, "n_layer": 2, "n_head": 4, "rotary_dim": 4}),
        ("granite", "CausalLM", _GROUPED),
        ("jamba", "CausalLM", {**_GROUPED, "num_experts": 2, "mamba_d_state": 4, "mamba_dt_rank": 4,
                               "attn_layer_period": 2, "attn_layer_offset": 1}),
        ("llama", "CausalLM", _GROUPED),
        ("mamba", "CausalLM", {"state_size": 4, "time_step_rank": 4}),
        ("mamba2", "CausalLM", {"state_size": 8, "head_dim": 16, "num_heads": 4, "n_groups": 2}),
        ("mistral", "CausalLM", {**_GROUPED, "sliding_window": 8}),
        ("mixtral", "CausalLM", {**_GROUPED, "num_local_experts": 4}),
        ("mpt", "CausalLM", {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 64}),
        ("olmo2", "CausalLM", _GROUPED),
        ("olmoe", "CausalLM", {**_GROUPED, "num_experts": 4, "num_experts_per_tok": 2}),
        ("opt", "CausalLM", {"ffn_dim": 64, "word_embed_proj_dim": 32}),
        ("phi", "CausalLM", {"partial_rotary_factor": 0.5}),
        ("phi3", "CausalLM", _GROUPED),
        ("qwen2", "CausalLM", _GROUPED),
        ("qwen2_moe", "CausalLM", {**_EXPERTS, "shared_expert_intermediate_size": 16}),
        ("qwen3", "CausalLM", _HEADS),
        ("qwen3_moe", "CausalLM", {**_EXPERTS, "head_dim": 8}),
        ("rwkv", "CausalLM", {"attention_hidden_size": 32, "context_length": 64}),
        ("smollm3", "CausalLM", _GROUPED),
        ("stablelm", "CausalLM", {"num_key_value_heads": 4}),
        ("starcoder2", "CausalLM", _GROUPED),
    ],
    "translation": [
        ("bart", "Seq2SeqLM", _PAIR),
        ("blenderbot", "Seq2SeqLM", _PAIR),
        ("longt5", "Seq2SeqLM", _T5),
        ("m2m_100", "Seq2SeqLM", _PAIR),
        ("marian", "Seq2SeqLM", _PAIR),
        ("mbart", "Seq2SeqLM", _PAIR),
        ("mt5", "Seq2SeqLM", _T5),
        ("pegasus", "Seq2SeqLM", _PAIR),
        ("t5", "Seq2SeqLM", _T5),
    ],
    "images": [
        ("beit", "ImageClassification", _IMAGES),
        ("convnext", "ImageClassification", {**_STAGES, "num_stages": 2}),
        ("convnextv2", "ImageClassification", {**_STAGES, "num_stages": 2}),
        ("dinov2", "ImageClassification", _IMAGES),
        ("mobilenet_v2", "ImageClassification", {"num_labels": 5, "depth_multiplier": 0.25,
                                                 "output_stride": 8}),
        ("resnet", "ImageClassification", {**_STAGES, "embedding_size": 8}),
        ("swin", "ImageClassification", {**_IMAGES, "patch_size": 2, "embed_dim": 8, "depths": [1, 1],
                                         "num_attention_heads": [2, 2], "window_size": 4}),
        ("vit", "ImageClassification", _IMAGES),
    ],
    "captions": [("clip", "ZeroShotImageClassification", _TOWERS)],
    "speech": [
        ("hubert", "CTC", _SPEECH),
        ("wav2vec2", "CTC", _SPEECH),
    ],
    "spectrogram": [
        ("whisper", "SpeechSeq2Seq", {**_PAIR, "num_mel_bins": 8, "max_source_positions": 32,
                                      "max_target_positions": 32, "suppress_tokens": None,
                                      "begin_suppress_tokens": None}),
    ],
}  # fmt: skip
TIMM = [
    "convnext_atto",
    "efficientnet_b0",
    "mobilenetv3_small_050",
    "regnetx_002",
    "resnet18",
    "vit_tiny_patch16_224",
]
TORCHVISION = [
    "densenet121",
    "efficientnet_b0",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "resnet18",
    "shufflenet_v2_x0_5",
    "squeezenet1_1",
]
