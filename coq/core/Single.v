(** * The value of a scalar subquery: of its only row

    Where two rows of a bag would be one, by ONE's premise, a row that is there gives the value; without a row it is NULL. *)
From Tallystick.core Require Export One Nodes SumRule.

Definition single (ys : list source) (chi : term) (h : terms) : bag := Bc (takes ys (Give chi h)) Bn.
Section Single.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Variables (keys : string -> list (list nat)) (counted : place -> bag -> option (list nat)).
  Hypothesis keys_hold : forall t cs, In cs (keys t) -> satisfies w (Key t cs).
  Hypothesis counted_holds : forall e n b cs, counted n b = Some cs -> ForallOrdPairs (fun v u => cells cs v <> cells cs u) (ms w blocks named e (Block n b)).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).
  Lemma at_most_one_choice rows ys given chi : valid (unique keys counted rows [] ys given chi) -> forall e, In e (choices base rows) -> is_true (mt e given) = true ->
    (List.length (filter (fun a => is_true (mt a chi)) (choices e ys)) <= 1)%nat.
  Proof.
    intros V e E G. set (m := List.length ys). apply (at_most_one w blocks named keys counted keys_hold counted_holds). intros b c B C PB PC.
    assert (OY : forall b, In b (choices e ys) -> forall i, b (m + i)%nat = e i) by (intros; now apply (choices_outer w blocks named ys)).
    destruct (choices_renamed w blocks named ys e b (Nat.add m) c (OY b B) C) as (c' & C1 & C2).
    assert (C3 : forall i, c' (m + i)%nat = b i) by (intros i; rewrite <- (choices_outer w blocks named _ _ _ C1 i); now rewrite rtele_length).
    rewrite <- (alike_term_ok w blocks named keys counted ys m c' b c); [|intros j J; split; [apply C3|rewrite <- C2; now rewrite upn_below]].
    refine (proj1 (implies_ok w blocks named c' _ _) (V c' _) _).
    - cbn [unique fst app]. rewrite choices_app. apply in_flat_map. exists e. split; auto. rewrite choices_app. apply in_flat_map. now exists b.
    - rewrite !conj2_ok, !andb_true_iff. split; [|split].
      + change (is_true (mt c' (shift (m + m + 0) given)) = true). rewrite (shift_ok w blocks named _ given e c'); auto. intros i. rewrite Nat.add_0_r, <- Nat.add_assoc, C3. now apply OY.
      + change (is_true (mt c' (shift m chi)) = true). now rewrite (shift_ok w blocks named m chi b c').
      + change (is_true (mt c' (rt (upn m (Nat.add m)) chi)) = true). rewrite (rt_ok w blocks named chi c c' (upn m (Nat.add m)) C2). exact PC.
  Qed.
  Lemma single_rows ys chi h e : mb e (single ys chi h) = map (fun a => mts a h) (filter (fun a => is_true (mt a chi)) (choices e ys)).
  Proof.
    unfold single. change (mb e (Bc ?m Bn)) with (mm e m ++ []). rewrite app_nil_r, mm_takes. induction (choices e ys) as [|a l IH]; auto. cbn [flat_map filter].
    change (mm a (Give chi h)) with (if is_true (mt a chi) then [mts a h] else []). rewrite IH. now destruct (is_true (mt a chi)).
  Qed.
  (** The value where a row is there. *)
  Theorem only_value rows ys given chi h places x : valid (unique keys counted rows [] ys given chi) -> Nodes.placed rows (fun j => j) ys places = Some x ->
    forall e, In e (choices base rows) -> is_true (mt e given) = true ->
    is_true (mt e (implies (rt x chi) (ap2 IsSame (Summary Single (single ys chi h)) (rt x (first h))))) = true.
  Proof.
    intros V P e E G. apply implies_ok. destruct (Nodes.placed_ok w blocks named base rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    rewrite (rt_ok w blocks named chi a e x) by (intros; now rewrite H). intros T. change (same (mt e (Summary Single (single ys chi h))) (mt e (rt x (first h))) = true).
    rewrite (rt_ok w blocks named (first h) a e x) by (intros; now rewrite H). change (mt e (Summary Single ?b)) with (match mb e b with [r] => hd Null r | _ => Null end). rewrite single_rows.
    pose proof (at_most_one_choice rows ys given chi V e E G) as L. assert (I : In a (filter (fun a => is_true (mt a chi)) (choices e ys))) by (apply filter_In; auto).
    destruct (filter _ _) as [|b [|]]; cbn in L; [destruct I| |lia]. destruct I as [->|[]]. cbn [map]. assert (F : hd Null (mts a h) = mt a (first h)) by now destruct h. rewrite F. unfold same. now destruct (value_eq_dec _ _).
  Qed.
  (** The value where there is none. *)
  Theorem no_value b e : is_true (mt e (disj2 (Ex b) (ap2 IsSame (Summary Single b) (Apply (Lit Null) Tn)))) = true.
  Proof.
    rewrite disj2_ok. change (mt e (Ex b)) with (Truth match mb e b with [] => false | _ => true end). change (is_true (mt e (ap2 IsSame ?x ?y))) with (same (mt e x) (mt e y)).
    change (mt e (Summary Single b)) with (match mb e b with [r] => hd Null r | _ => Null end). destruct (mb e b); reflexivity.
  Qed.
End Single.
