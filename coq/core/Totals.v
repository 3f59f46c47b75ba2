(** * COUNT and SUM as totals of weights

    COUNT is the total of a 1 for each row without NULL; SUM is the total of what is not NULL, or NULL where there is none. So the rule
    SUM and the node Sign speak of both. *)
From Tallystick.core Require Export Kinds.

Definition at_end (f : term -> terms -> term * terms) : mono -> mono := fix go m := match m with
  | Take u m => Take u (go m) | Give c h => Give (fst (f c h)) (snd (f c h)) end.
Definition one : term := Apply (Lit (number 1)) Tn.
Fixpoint knowns (h : terms) : term := match h with Tn => yes | Tc t h => conj2 (ap1 Known t) (knowns h) end.
Definition counted (b : bag) : bag := to_bag (map (at_end (fun c h => (conj2 c (knowns h), Tc one Tn))) (SumRule.monos b)).
Definition summed (b : bag) : bag := to_bag (map (at_end (fun c h => (conj2 c (ap1 Known (first h)), Tc (first h) Tn))) (SumRule.monos b)).
Definition total_of (f : Core.function) (b : bag) : term := match f with
  | Count => Total (counted b) | _ => ite (Ex (summed b)) (Total (summed b)) (Apply (Lit Null) Tn) end.

Section Totals.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Lemma mb_monos e b : mb e b = flat_map (mm e) (SumRule.monos b).
  Proof. induction b as [|m b IH] using bag_list_i; auto. cbn [SumRule.monos flat_map]. now rewrite <- IH. Qed.
  Lemma mb_bag e l : mb e (to_bag l) = flat_map (mm e) l.
  Proof. induction l as [|m l IH]; auto. cbn [to_bag flat_map]. now rewrite <- IH. Qed.
  (** The rows that a change of conditions and heads keeps, changed. *)
  Lemma ends_changed f (p : row -> bool) (g : row -> row) :
    (forall a c h, (if is_true (mt a (fst (f c h))) then [mts a (snd (f c h))] else []) = if is_true (mt a c) && p (mts a h) then [g (mts a h)] else []) ->
    forall b e, mb e (to_bag (map (at_end f) (SumRule.monos b))) = map g (filter p (mb e b)).
  Proof.
    intros H b e. rewrite mb_bag, mb_monos. induction (SumRule.monos b) as [|m l IH]; auto. cbn [map flat_map]. rewrite filter_app, map_app, IH. f_equal. clear IH l b.
    revert e. induction m as [u m IH|c h] using telescope_i; intros e.
    - change (mm e (at_end f (Take u m))) with (flat_map (fun r => mm (push r e) (at_end f m)) (ms w blocks named e u)). change (mm e (Take u m)) with (flat_map (fun r => mm (push r e) m) (ms w blocks named e u)).
      induction (ms w blocks named e u) as [|r l IHl]; auto. cbn [flat_map]. now rewrite filter_app, map_app, IH, IHl.
    - change (mm e (at_end f (Give c h))) with (if is_true (mt e (fst (f c h))) then [mts e (snd (f c h))] else []). rewrite H. change (mm e (Give c h)) with (if is_true (mt e c) then [mts e h] else []).
      destruct (is_true (mt e c)); auto. cbn [andb filter]. now destruct (p (mts e h)).
  Qed.
  Definition whole_row (r : row) : bool := negb (existsb is_null r).
  Definition has_head (r : row) : bool := negb (is_null (hd Null r)).
  Lemma knowns_ok a h : is_true (mt a (knowns h)) = whole_row (mts a h).
  Proof.
    unfold whole_row. induction h as [|t h IH] using terms_list_i; auto. cbn [knowns]. rewrite conj2_ok, IH. change (mts a (Tc t h)) with (mt a t :: mts a h). cbn [existsb]. now rewrite negb_orb.
  Qed.
  Lemma counted_rows b e : mb e (counted b) = map (fun _ => [number 1]) (filter whole_row (mb e b)).
  Proof. unfold counted. apply ends_changed. intros a c h. cbn [fst snd]. now rewrite conj2_ok, knowns_ok. Qed.
  Lemma head_ok a h : mt a (first h) = hd Null (mts a h). Proof. now destruct h. Qed.
  Lemma summed_rows b e : mb e (summed b) = map (fun r => [hd Null r]) (filter has_head (mb e b)).
  Proof.
    unfold summed. apply ends_changed. intros a c h. cbn [fst snd]. rewrite conj2_ok. change (is_true (mt a (ap1 Known (first h)))) with (negb (is_null (mt a (first h)))). rewrite head_ok.
    change (mts a (Tc (first h) Tn)) with [mt a (first h)]. now rewrite head_ok.
  Qed.
  Lemma count_is_total b e : mt e (Summary (Of Count) b) = mt e (total_of Count b).
  Proof.
    change (number (Z.of_nat (List.length (filter whole_row (mb e b)))) = Number (qsum (map weight (mb e (counted b))))). rewrite counted_rows, map_map. unfold number. f_equal.
    induction (filter whole_row (mb e b)) as [|r l IH]; auto. cbn [map List.length]. unfold qsum in *. cbn [fold_right]. rewrite <- IH. cbn [weight hd num number]. rewrite whole_plus. f_equal. lia.
  Qed.
  Lemma sum_is_total s g b e : conforms s w -> env_fits g e -> numeric_sort (sort_of (kt s g (Summary (Of Sum) b))) = true -> mt e (Summary (Of Sum) b) = mt e (total_of Sum b).
  Proof.
    intros C G N. pose proof (proj1 (proj2 (proj2 (kinds_ok s w blocks named C))) b g e G) as F. cbn [kt] in N. set (k := kind_at _ 0) in N.
    assert (FK : forall r, In r (mb e b) -> fits k (hd Null r) = true) by (intros r R; specialize (F r R 0); now destruct r).
    assert (NK : numeric_sort (sort_of k) = true) by (destruct (numeric_sort (sort_of k)); auto; discriminate). clear N F. clearbody k.
    change (mt e (total_of Sum b)) with (if is_true (Truth match mb e (summed b) with [] => false | _ => true end) then Number (qsum (map weight (mb e (summed b)))) else Null).
    change (mt e (Summary (Of Sum) b)) with (fold_right (combined Sum) Null (map (hd Null) (mb e b))). rewrite summed_rows. revert FK. generalize (mb e b). clear -NK. intros l FK.
    assert (X : fold_right (combined Sum) Null (map (hd Null) l) = match filter has_head l with [] => Null | _ => Number (qsum (map weight (map (fun r => [hd Null r]) (filter has_head l)))) end).
    { induction l as [|r l IH]; auto. cbn [map fold_right filter]. rewrite IH by (intros; apply FK; now right). specialize (FK r (or_introl eq_refl)). assert (HH : has_head r = negb (is_null (hd Null r))) by reflexivity. rewrite HH. clear HH. unfold combined at 1.
      destruct (is_null (hd Null r)) eqn:E; cbn [negb]; auto. assert (Q : exists q, hd Null r = Number q) by (unfold fits in FK; rewrite E in FK; destruct k as [[] ?]; try discriminate; destruct (hd Null r); try discriminate; eauto).
      destruct Q as [q Q]. rewrite Q. destruct (filter has_head l) as [|r' l'].
      - cbn [map is_null]. unfold qsum. cbn [fold_right]. unfold weight. cbn [hd]. rewrite Q. cbn [num is_null]. symmetry. f_equal. apply SumRule.plus_0_r.
      - cbn [is_null better]. f_equal. cbn [map]. unfold qsum. cbn [fold_right weight hd]. rewrite Q. reflexivity. }
    rewrite X. destruct (filter has_head l); reflexivity.
  Qed.
End Totals.
